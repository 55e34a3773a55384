import { defineConfig } from '@playwright/test'
import { chromiumArguments } from './server/platform/testing/chromium-arguments'

/** The browser tests start Tapline themselves, with an empty data folder and free ports (`e2e/tapline.ts`). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  timeout: 180_000,
  expect: { timeout: 15_000 },
  // One phone, one story at a time: the machine has two cores and software decoding.
  workers: 1,
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env['TAPLINE_CHROMIUM'] ?? '/usr/bin/chromium',
      args: chromiumArguments,
    },
  },
})
