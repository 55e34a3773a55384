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

test('a person takes over, drives, hands back; pauses and resumes; the episode still succeeds', async ({ page }) => {
  await signIn(page, tapline.link)
  const screen = page.locator('[data-device-screen]')
  await expect(screen).toHaveAttribute('data-state', 'live')
  await page.locator('[data-start]').click()
  await expect(page.locator('[data-step="2"]')).toBeVisible({ timeout: 30_000 })

  // Take over: the agent stops, the phone is mine, a click reaches it.
  await page.keyboard.press('t')
  await expect(page.locator('[data-status=taken-over]')).toBeVisible()
  await expect(screen).toHaveAttribute('data-lease', 'mine')
  await expectAccessible(page)
  const drawn = Number(await screen.getAttribute('data-frames'))
  const glass = page.getByRole('application')
  const box = await glass.boundingBox()
  if (box === null) throw new Error('the screen has no place')
  // The icon of Messages, in the dock.
  await glass.click({ position: { x: box.width * 0.5, y: box.height * 0.84 } })
  await expect.poll(async () => Number(await screen.getAttribute('data-frames'))).toBeGreaterThan(drawn)

  // Hand back: the lease goes, the agent goes on to its question.
  await page.locator('[data-control=hand-back]').click()
  await expect(screen).not.toHaveAttribute('data-lease', 'mine')
  const question = page.getByRole('status', { name: 'Question' })
  await expect(question).toBeVisible({ timeout: 60_000 })

  // Pause with the question open, answer, resume.
  await page.locator('[data-control=pause]').click()
  await expect(page.locator('[data-status=paused]')).toBeVisible()
  await page.locator('[data-control=resume]').click()
  await question.getByRole('button').first().click()
  await expect(page.locator('[data-status=succeeded]').first()).toBeVisible({ timeout: 90_000 })
})

test('stop ends the episode and frees the phone', async ({ page }) => {
  await signIn(page, await tapline.newLink('Admin', 'admin'))
  await page.locator('[data-start]').click()
  await expect(page.locator('[data-step="1"]')).toBeVisible({ timeout: 30_000 })
  await page.locator('[data-control=stop]').click()
  await expect(page.locator('[data-status=stopped]').first()).toBeVisible()
  await page.getByRole('button', { name: 'New episode' }).click()
  await page.locator('[data-start]').click()
  await expect(page.locator('[data-step="1"]')).toBeVisible({ timeout: 30_000 })
  await page.locator('[data-control=stop]').click()
  await expect(page.locator('[data-status=stopped]').first()).toBeVisible()
})

test('driving an idle phone: spectators see it and cannot touch it', async ({ page, browser }) => {
  await signIn(page, await tapline.newLink('Admin', 'admin'))
  const screen = page.locator('[data-device-screen]')
  await expect(screen).toHaveAttribute('data-state', 'live')
  const watcherContext = await browser.newContext()
  const watcher = await watcherContext.newPage()
  await signIn(watcher, await tapline.newLink('Watcher', 'viewer'))
  const watched = watcher.locator('[data-device-screen]')
  await expect(watched).toHaveAttribute('data-state', 'live')

  await page.keyboard.press('t')
  await expect(screen).toHaveAttribute('data-lease', 'mine')
  await expect(watched).toHaveAttribute('data-lease', 'other')
  await expect(watcher.locator('[data-drive]')).toHaveCount(0)
  const seen = Number(await watched.getAttribute('data-frames'))
  const glass = page.getByRole('application')
  const box = await glass.boundingBox()
  if (box === null) throw new Error('the screen has no place')
  await glass.click({ position: { x: box.width * 0.5, y: box.height * 0.84 } })
  await expect.poll(async () => Number(await watched.getAttribute('data-frames'))).toBeGreaterThan(seen)

  // The holder goes away: the phone is free again.
  await page.goto(`${tapline.url}/episodes`)
  await expect(watched).toHaveAttribute('data-lease', 'none')
  await watcherContext.close()
})
