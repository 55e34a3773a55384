import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureTools } from './ensure-tools.mjs'

/** Runs every suite and ends with one line: `N passed, N failed, N skipped`. Arguments after -- go to vitest. */
const tools = ensureTools()
const shared = process.env.TAPLINE_SHARED
if (shared !== undefined && shared !== '' && !existsSync(shared)) {
  console.error(
    `TAPLINE_SHARED is ${shared}, which does not exist: set it to the folder with the foreign test data, or unset it.`,
  )
  process.exit(1)
}

const reports = mkdtempSync(join(tmpdir(), 'tapline-reports-'))
const environment = { ...process.env, TAPLINE_CHROMIUM: tools.chromium, TAPLINE_ADB: tools.adb }

function run(command, args, extra = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...environment, ...extra } })
    child.on('error', (error) => {
      console.error(error.message)
      done(1)
    })
    child.on('close', (code) => done(code ?? 1))
  })
}

const read = (name) => {
  const file = join(reports, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

let passed = 0
let failed = 0
let skipped = 0

// A suite that ended badly without a failed test (a crash, no report) counts as one failure.
function count(name, code, outcome) {
  passed += outcome?.passed ?? 0
  skipped += outcome?.skipped ?? 0
  failed += Math.max(outcome?.failed ?? 0, code === 0 && outcome !== null ? 0 : 1)
  console.log(
    `${name}: ${outcome === null ? 'no report' : `${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped`}`,
  )
}

let code = await run('node', ['scripts/build-bin.mjs'])
if (code !== 0) count('build', code, { passed: 0, failed: 1, skipped: 0 })

code = await run('npx', [
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(reports, 'vitest.json')}`,
])
const unit = read('vitest.json')
count(
  'unit, database and protocol tests',
  code,
  unit && {
    passed: unit.numPassedTests,
    failed: unit.numFailedTests,
    skipped: unit.numPendingTests + unit.numTodoTests,
  },
)

code = await run('npx', ['playwright', 'test', '--reporter=list,json'], {
  PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'browser.json'),
})
const browser = read('browser.json')
count(
  'browser tests',
  code,
  browser && {
    passed: browser.stats.expected + browser.stats.flaky,
    failed: browser.stats.unexpected,
    skipped: browser.stats.skipped,
  },
)

rmSync(reports, { recursive: true, force: true })
if (shared === undefined || shared === '') console.log('TAPLINE_SHARED is not set: tests on foreign data were skipped')
if (process.env.CI !== undefined && skipped > 0 && shared !== undefined) {
  console.log(`${skipped} tests were skipped in CI although every tool is there: counted as failed`)
  failed += skipped
  skipped = 0
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
