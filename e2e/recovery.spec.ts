import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { z } from 'zod'
import { device } from '@/server/device/contract'
import { type EpisodeEvent, episodeEvent } from '@/server/trajectory/contract'
import { postgresFolder, removeDataFolder } from './clone'
import { type RunningTapline, signIn, startTapline } from './tapline'

const childNames = ['Phone A', 'Phone B', 'gateway', 'worker', 'web']
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

let dataFolder = ''
let tapline: RunningTapline
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'tapline-recovery-'))
  tapline = await startTapline({ dataFolder })
})
test.afterAll(async () => {
  await tapline.stop()
  removeDataFolder(dataFolder)
})

/** The pid of a child's present life, from the supervisor's log. */
function childPid(name: string): number {
  const lives = [...tapline.log().matchAll(new RegExp(`"child":"${name}","childPid":(\\d+)`, 'g'))]
  return Number(lives.at(-1)?.[1])
}

/** Ends a child without warning and waits for its next life. */
async function killChild(name: string): Promise<void> {
  const pid = childPid(name)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => childPid(name)).not.toBe(pid)
}

function postmasterPid(): number {
  try {
    return Number(readFileSync(join(postgresFolder(dataFolder) ?? '', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

function postgresChildren(): number[] {
  const pid = postmasterPid()
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

const readingSchema = z.object({
  result: z.object({ data: z.object({ json: z.object({ events: z.array(episodeEvent) }) }) }),
})
const devicesSchema = z.object({ result: z.object({ data: z.object({ json: z.array(device) }) }) })

async function readEvents(page: Page, episodeId: string): Promise<EpisodeEvent[]> {
  const query = `/api/trpc/trajectory.get?input=${encodeURIComponent(JSON.stringify({ json: { episodeId } }))}`
  const answer = await page.evaluate(async (url) => (await fetch(url)).json(), query)
  return readingSchema.parse(answer).result.data.json.events
}

const screenOf = (page: Page) => page.locator('[data-device-screen]')
const framesOf = async (page: Page) => Number(await screenOf(page).getAttribute('data-frames'))
const questionOf = (page: Page) => page.getByRole('status', { name: 'Question' })
const textsOf = (page: Page) => page.locator('[data-step] .truncate').allTextContents()

async function expectLive(page: Page): Promise<void> {
  await expect(screenOf(page)).toHaveAttribute('data-state', 'live')
  await expect.poll(() => framesOf(page)).toBeGreaterThan(0)
}

/** Starts the demonstration and waits for its question; returns the episode. */
async function startUntilQuestion(page: Page): Promise<string> {
  await page.locator('[data-start]').click()
  await expect(questionOf(page)).toBeVisible({ timeout: 60_000 })
  await expect(page.locator('[data-status=waiting]').first()).toBeVisible()
  return (await page.locator('[data-episode]').getAttribute('data-episode')) ?? ''
}

async function stopEpisode(page: Page): Promise<void> {
  await page.locator('[data-control=stop]').first().click()
  await expect(page.locator('[data-status=stopped]').first()).toBeVisible()
}

test('a phone that is killed comes back by itself and can be worked on', async ({ page }) => {
  await signIn(page, tapline.link)
  await expectLive(page)
  const devices = devicesSchema.parse(await page.evaluate(async () => (await fetch('/api/trpc/device.list')).json()))
  const name = devices.result.data.json.find(({ id }) => page.url().includes(id))?.name ?? ''
  const frames = await framesOf(page)
  await killChild(name)
  await expect.poll(() => framesOf(page)).toBeGreaterThan(frames)
  await expectLive(page)
  await startUntilQuestion(page)
  await stopEpisode(page)
})

test('no event is lost, and the question stays, whatever process is killed', async ({ page }) => {
  test.setTimeout(300_000)
  await signIn(page, await tapline.newLink('Admin', 'admin'))
  await expectLive(page)
  const episodeId = await startUntilQuestion(page)
  const events = await readEvents(page, episodeId)
  const texts = await textsOf(page)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index))
  expect(texts.length).toBeGreaterThan(0)

  const expectNothingLost = async () => {
    await expect(async () => expect(await readEvents(page, episodeId)).toEqual(events)).toPass({ timeout: 15_000 })
    await expectLive(page)
    await expect(questionOf(page)).toBeVisible()
    expect(await textsOf(page)).toEqual(texts)
  }

  await test.step('worker', async () => {
    await killChild('worker')
    await expectNothingLost()
  })
  for (const name of ['gateway', 'web']) {
    await test.step(name, async () => {
      const frames = await framesOf(page)
      await killChild(name)
      // The page has connected again: a picture came that the killed process did not send.
      await expect.poll(() => framesOf(page)).toBeGreaterThan(frames)
      await expectNothingLost()
    })
  }
  await test.step('a process of Postgres', async () => {
    const before = postgresChildren()
    const victim = before[0] ?? 0
    process.kill(victim, 'SIGKILL')
    // The others have served the same shared memory: Postgres ends them all and recovers.
    await expect.poll(() => postgresChildren().filter((pid) => before.includes(pid))).toEqual([])
    await expectNothingLost()
  })
  await test.step('Postgres', async () => {
    const pid = postmasterPid()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => postmasterPid() > 0 && postmasterPid() !== pid).toBe(true)
    await expectNothingLost()
  })

  await questionOf(page).getByRole('button').first().click()
  await test.step('worker, at work', async () => {
    const steps = page.locator('[data-step]')
    await expect.poll(() => steps.count()).toBeGreaterThan(texts.length)
    await killChild('worker')
  })
  await expect(page.locator('[data-status=succeeded]').first()).toBeVisible({ timeout: 90_000 })
  const all = await readEvents(page, episodeId)
  expect(all.slice(0, events.length)).toEqual(events)
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_event, index) => index))
})

test('after the supervisor is killed its children end, and the next start goes on', async ({ page, browser }) => {
  test.setTimeout(300_000)
  await signIn(page, await tapline.newLink('Admin', 'admin'))
  await expectLive(page)
  const livePage = page.url()
  const episodeId = await startUntilQuestion(page)
  const events = await readEvents(page, episodeId)
  const texts = await textsOf(page)

  const pids = childNames.map(childPid)
  expect(pids.filter(isAlive)).toEqual(pids)
  const { port, gatewayPort, phonePorts } = z
    .object({ port: z.number(), gatewayPort: z.number(), phonePorts: z.array(z.number()) })
    .parse(JSON.parse(readFileSync(join(dataFolder, 'instance.json'), 'utf8')))
  tapline.process.kill('SIGKILL')
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  tapline = await startTapline({
    dataFolder,
    environment: {
      TAPLINE_PORT: String(port),
      TAPLINE_GATEWAY_PORT: String(gatewayPort),
      TAPLINE_PHONES: phonePorts.join(','),
    },
  })
  expect(new URL(livePage).origin).toBe(tapline.url)

  // The page that was open all the time is connected and signed in again.
  await expectLive(page)
  await expect(questionOf(page)).toBeVisible()

  const context = await browser.newContext()
  const newPage = await context.newPage()
  await signIn(newPage, tapline.link)
  await newPage.goto(livePage)
  await expectLive(newPage)
  await expect(questionOf(newPage)).toBeVisible()
  expect(await readEvents(newPage, episodeId)).toEqual(events)
  expect(await textsOf(newPage)).toEqual(texts)

  // The phone has forgotten what was done on it, as a phone that lost its memory would: the episode may fail, not hang.
  await questionOf(newPage).getByRole('button').first().click()
  const ended = newPage.locator(['succeeded', 'failed', 'interrupted'].map((end) => `[data-status=${end}]`).join())
  await expect(ended.first()).toBeVisible({ timeout: 90_000 })
  test.info().annotations.push({ type: 'ended', description: await ended.first().textContent().then(String) })
  expect((await readEvents(newPage, episodeId)).slice(0, events.length)).toEqual(events)

  // The phone is free for the next, at once.
  await newPage.getByRole('button', { name: 'New episode' }).first().click()
  await startUntilQuestion(newPage)
  await stopEpisode(newPage)
  await context.close()
})
