import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible'
import { type RunningTapline, signIn, startTapline } from './tapline'

let tapline: RunningTapline
let episodePath = ''

test.beforeAll(async ({ browser }) => {
  tapline = await startTapline()
  const page = await browser.newPage()
  await signIn(page, tapline.link)
  await page.locator('[data-start]').click()
  await page.getByRole('status', { name: 'Question' }).getByRole('button').first().click({ timeout: 60_000 })
  await expect(page.locator('[data-status=succeeded]').first()).toBeVisible({ timeout: 90_000 })
  episodePath = new URL(
    await page.getByRole('link', { name: 'Open the replay' }).evaluate((link: HTMLAnchorElement) => link.href),
  ).pathname
  await page.close()
})
test.afterAll(async () => {
  await tapline.stop()
})

for (const theme of ['light', 'dark'] as const) {
  for (const locale of ['en', 'zh-CN'] as const) {
    for (const width of [1440, 390] as const) {
      test(`live, episodes and replay: ${theme}, ${locale}, ${width} px`, async ({ page }) => {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
        await page.addInitScript((value) => localStorage.setItem('theme', value), theme)
        await page.context().addCookies([{ name: 'tapline_locale', value: locale, url: tapline.url }])
        await signIn(page, await tapline.newLink('Admin', 'admin'))
        const words = { en: ['Run', 'Episodes', 'Steps'], 'zh-CN': ['运行', '任务记录', '步骤'] }[locale]

        await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await expect(page.locator('[data-device-screen]')).toHaveAttribute('data-state', 'live')
        await expect(page.getByRole('button', { name: words[0] ?? '' })).toBeVisible()
        await expectAccessible(page)

        await page.goto(`${tapline.url}/episodes`)
        await expect(page.getByRole('heading', { name: words[1] ?? '' })).toBeVisible()
        await expect(page.getByRole('row')).toHaveCount(2)
        await expectAccessible(page)

        await page.goto(`${tapline.url}${episodePath}?step=3`)
        await expect(page.locator('img[alt*="3"]').first()).toBeVisible()
        await expectAccessible(page)
        // Nothing sticks out sideways.
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      })
    }
  }
}
