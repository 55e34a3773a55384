import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible'
import { type RunningTapline, signIn, startTapline } from './tapline'

let tapline: RunningTapline
test.beforeAll(async () => {
  tapline = await startTapline()
})
test.afterAll(async () => {
  await tapline.stop()
})

test('the first live episode: link, demonstration, question, success, replay', async ({ page }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })

  // The link opens the phone, live.
  await signIn(page, tapline.link)
  const screen = page.locator('[data-device-screen]')
  await expect(screen).toHaveAttribute('data-state', 'live')
  await expect.poll(async () => Number(await screen.getAttribute('data-frames'))).toBeGreaterThan(0)

  // One click starts the demonstration.
  await page.locator('[data-start]').click()
  await expect(page.locator('[data-episode]')).toBeVisible()

  // It works step by step, with reasons, and asks.
  const question = page.getByRole('status', { name: 'Question' })
  await expect(question).toBeVisible({ timeout: 60_000 })
  await expect(page.locator('[data-status=waiting]')).toBeVisible()
  await expectAccessible(page)
  const answers = question.getByRole('button')
  await answers.first().click()

  // It goes on with the answer and is checked against the phone's state.
  await expect(page.locator('[data-status=succeeded]').first()).toBeVisible({ timeout: 90_000 })
  const steps = page.locator('[data-step]')
  expect(await steps.count()).toBeGreaterThanOrEqual(5)

  // The replay.
  await page.getByRole('link', { name: 'Open the replay' }).click()
  await page.waitForURL(/\/episodes\/[0-9a-f-]{36}/)
  const count = await steps.count()
  expect(count).toBeGreaterThanOrEqual(5)
  await page.keyboard.press('Home')
  for (let number = 1; number <= count; number += 1) {
    await expect(page).toHaveURL(new RegExp(`[?&]step=${number}(&|$)`))
    await expect(page.locator('[aria-current=step] [data-step]')).toHaveAttribute('data-step', String(number))
    await expect(page.locator('[data-reasoning]')).not.toBeEmpty()
    const picture = page.getByRole('img', { name: new RegExp(`^Screen at step ${number},`) })
    await expect(picture).toBeVisible()
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(540)
    if (number < count) await page.keyboard.press('ArrowRight')
  }
  // Somewhere a finger touched the glass, and something changed.
  await page.keyboard.press('Home')
  let touches = 0
  let changes = 0
  for (let number = 1; number <= count; number += 1) {
    await expect(page.locator('[aria-current=step] [data-step]')).toHaveAttribute('data-step', String(number))
    touches += await page.locator('[data-touch]').count()
    changes += await page.locator('[data-call] .text-ok', { hasText: '+ ' }).count()
    if (number < count) await page.keyboard.press('ArrowRight')
  }
  expect(touches).toBeGreaterThan(0)
  expect(changes).toBeGreaterThan(0)

  // The step is in the address: a reload stays at it.
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/step=3/)
  await page.reload()
  await expect(page.locator('[aria-current=step] [data-step]')).toHaveAttribute('data-step', '3')

  // The verdict is the checker's, apart from the claim.
  await page.getByRole('tab', { name: 'Checks' }).click()
  await expect(page.locator('[data-check=passed]').first()).toBeVisible()
  await expect(page.locator('[data-check=failed]')).toHaveCount(0)
  await expectAccessible(page)

  // It stands in the list.
  await page.goto(`${tapline.url}/episodes`)
  await expect(page.getByRole('row').filter({ has: page.locator('[data-status=succeeded]') })).toHaveCount(1)
  expect(problems).toEqual([])
})

test('the second task meets a failing tool and recovers', async ({ page }) => {
  await signIn(page, await tapline.newLink('Admin', 'admin'))
  await page.getByRole('radio').nth(1).check()
  await page.locator('[data-start]').click()
  await expect(page.locator('[data-status=succeeded]').first()).toBeVisible({ timeout: 120_000 })
  await expect(page.locator('[data-step] .text-fail').first()).toBeVisible()
})

test('a viewer watches and cannot drive, answer or start', async ({ page }) => {
  await signIn(page, await tapline.newLink('Watcher', 'viewer'))
  await expect(page.locator('[data-device-screen]')).toHaveAttribute('data-state', 'live')
  await expect(page.locator('[data-start]')).toHaveCount(0)
  const refused = await page.evaluate(async () => {
    const response = await fetch('/api/trpc/harness.start', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        json: {
          deviceId: location.pathname.split('/').at(-1),
          taskId: 'messages-tell-lin',
          seed: 7,
          planner: 'demonstration',
        },
      }),
    })
    return response.status
  })
  expect(refused).toBe(403)
})
