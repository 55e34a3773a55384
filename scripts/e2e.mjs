import { spawnSync } from 'node:child_process'
import { ensureTools } from './ensure-tools.mjs'

const tools = ensureTools()
const environment = { ...process.env, TAPLINE_CHROMIUM: tools.chromium, TAPLINE_ADB: tools.adb }
const result = spawnSync('npx', ['playwright', 'test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment,
})
process.exit(result.status ?? 1)
