import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const alias = { '@': fileURLToPath(new URL('.', import.meta.url)) }
const ignored = ['node_modules/**', 'dist/**', '.next/**', '.tapline/**', 'e2e/**']

/**
 * `unit` needs nothing but Node and runs in `npm run verify`.
 * `integration` (`*.integration.test.ts`) needs Postgres, Debian's adb or Chromium and runs in `npm test`.
 */
export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...ignored, '**/*.integration.test.ts'],
          sequence: { groupOrder: 0 },
          // Pure functions share nothing that one could spoil for another; loading them once saves most of the time.
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'integration',
          include: ['**/*.integration.test.ts'],
          exclude: ignored,
          globalSetup: ['server/platform/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
