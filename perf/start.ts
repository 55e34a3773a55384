import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumArguments } from '../server/platform/testing/chromium-arguments'
import { startTapline } from '../e2e/tapline'

/** From `npm start` on a built clone with an empty data folder to the first picture in the browser; target 15 s. */
const targetMs = 15_000
const runs = 3

const browser = await chromium.launch({
  executablePath: process.env['TAPLINE_CHROMIUM'] ?? '/usr/bin/chromium',
  args: chromiumArguments,
})
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
// The first start builds what is stale, which is not part of the figure.
await (await startTapline()).stop()

const figures: number[] = []
for (let run = 1; run <= runs; run += 1) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapline-perf-'))
  const startedAt = performance.now()
  const tapline = await startTapline({ dataFolder })
  const readyAt = performance.now()
  const page = await browser.newPage()
  await page.goto(tapline.link)
  await page.locator('[data-device-screen][data-state=live]:not([data-frames="0"])').waitFor()
  const seenAt = performance.now()
  console.log(
    `run ${run}: link after ${seconds(readyAt - startedAt)}, first picture after ${seconds(seenAt - startedAt)}`,
  )
  figures.push(seenAt - startedAt)
  await page.close()
  const stoppingAt = performance.now()
  await tapline.stop()
  console.log(`run ${run}: stopped in ${seconds(performance.now() - stoppingAt)}`)
  rmSync(dataFolder, { recursive: true, force: true })
}
await browser.close()
const median = figures.sort((one, other) => one - other)[Math.floor(runs / 2)] ?? 0
console.log(
  `start to first picture: median ${seconds(median)} of ${runs}, target ${seconds(targetMs)}: ${median <= targetMs ? 'met' : 'missed'}`,
)
