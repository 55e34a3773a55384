import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { z } from 'zod'
import { device } from '@/server/device/contract'
import { cloneTo, postgresFolder, processesOf, removeDataFolder } from './clone'
import { type RunningTapline, signIn, startTapline } from './tapline'

const isRoot = process.getuid?.() === 0
/** Nobody but its owner can enter it: a Postgres that runs as another user can't keep its files below. */
let closedFolder = ''
const dataOf = (folder: string) => join(folder, '.tapline')
const folders = () => ['first', 'second'].map((name) => join(closedFolder, name))

test.beforeAll(() => {
  test.setTimeout(300_000)
  closedFolder = mkdtempSync(join(tmpdir(), 'tapline-copies-'))
  folders().forEach(cloneTo)
})
test.afterAll(() => {
  for (const folder of folders()) removeDataFolder(dataOf(folder))
  rmSync(closedFolder, { recursive: true, force: true })
})

/** A port such that it and the blocks of ten after it are free, as far as two copies need. */
async function freeBase(): Promise<number> {
  for (let base = 21_000; base < 31_000; base += 200) {
    const ports = [0, 1, 10, 11, 100, 102, 110, 112].map((offset) => base + offset)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return base
  }
  throw new Error('no ports')
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

const answerSchema = z.object({ result: z.object({ data: z.object({ json: z.array(device) }) }) })

async function expectLive(page: Page): Promise<string> {
  const screen = page.locator('[data-device-screen]')
  await expect(screen).toHaveAttribute('data-state', 'live', { timeout: 30_000 })
  await expect.poll(async () => Number(await screen.getAttribute('data-frames'))).toBeGreaterThan(0)
  const answer = answerSchema.parse(await page.evaluate(async () => (await fetch('/api/trpc/device.list')).json()))
  const shown = answer.result.data.json.find(({ id }) => page.url().includes(id))
  expect(shown?.state).toBe('online')
  return shown?.serial ?? ''
}

async function statusWith(tapline: RunningTapline, cookie: string): Promise<number> {
  return (await fetch(`${tapline.url}/api/trpc/device.list`, { headers: { cookie } })).status
}

test('two copies below a closed folder run side by side, both signed in, in one browser', async ({ context }) => {
  // A stale build is made anew, by both.
  test.setTimeout(600_000)
  expect(statSync(closedFolder).mode & 0o777).toBe(0o700)
  const base = await freeBase()
  const environment = { TAPLINE_PORT: String(base), TAPLINE_PHONES: `${base + 100},${base + 102}` }
  const both = await Promise.all(
    folders().map((folder) => startTapline({ folder, dataFolder: dataOf(folder), environment })),
  )
  const [first, second] = both
  if (first === undefined || second === undefined) throw new Error('There are two folders.')

  // One has the ports it wanted, the other has the next free block and says so.
  const noteOf = (wanted: string) => both.filter(({ log }) => log().includes(`Note: ${wanted} `))
  expect(both.map(({ url }) => url)).toContain(`http://127.0.0.1:${base}`)
  expect(first.url).not.toBe(second.url)
  expect(noteOf(`port ${base} is taken: using`)).toHaveLength(1)
  expect(noteOf(`phone ports ${base + 100}, ${base + 102} are taken: using`)).toHaveLength(1)
  expect(new Set([...first.phonePorts, ...second.phonePorts]).size).toBe(4)

  for (const { dataFolder } of both) {
    if (isRoot) expect(postgresFolder(dataFolder)).toMatch(/^\/var\/lib\/tapline\//)
    else expect(postgresFolder(dataFolder)).toBe(join(dataFolder, 'postgres'))
  }
  if (!isRoot) {
    const description = 'not run as root: Postgres could stay below the closed folder'
    test.info().annotations.push({ type: 'skipped in part', description })
  }

  // One browser: cookies go to both, whatever the port.
  const firstPage = await context.newPage()
  await signIn(firstPage, first.link)
  const [firstCookie] = await context.cookies()
  const secondPage = await context.newPage()
  await signIn(secondPage, second.link)
  const cookies = await context.cookies()
  const secondCookie = cookies.find(({ name }) => name !== firstCookie?.name)
  expect(cookies).toHaveLength(2)
  const serials = [await expectLive(firstPage), await expectLive(secondPage)]
  expect(new Set(serials).size).toBe(2)

  await firstPage.reload()
  await secondPage.reload()
  expect([await expectLive(firstPage), await expectLive(secondPage)]).toEqual(serials)

  // A session of one is worth nothing at the other, not even under the other's name.
  const firstSession = firstCookie?.value ?? ''
  expect(await statusWith(first, `${firstCookie?.name}=${firstSession}`)).toBe(200)
  expect(await statusWith(second, `${firstCookie?.name}=${firstSession}`)).toBe(401)
  expect(await statusWith(second, `${secondCookie?.name}=${firstSession}`)).toBe(401)
  expect(await statusWith(second, `${secondCookie?.name}=${secondCookie?.value}`)).toBe(200)

  // Ctrl-C for one, a service manager's signal for the other.
  for (const { dataFolder } of both) expect(processesOf(dataFolder).length).toBeGreaterThanOrEqual(7)
  first.process.kill('SIGINT')
  second.process.kill('SIGTERM')
  for (const tapline of both) await expect.poll(() => tapline.process.exitCode, { timeout: 5_000 }).toBe(0)
  for (const { dataFolder } of both) expect(processesOf(dataFolder)).toEqual([])
})
