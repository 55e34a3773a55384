import { spawn } from 'node:child_process'

// Everything that needs neither a database nor a browser, two at a time and the longest first, each with its whole output when it fails.
const gates = [
  ['unit tests', 'npx', ['vitest', 'run', '--project', 'unit', '--reporter', 'dot']],
  ['types', 'npx', ['tsc', '--noEmit', '-p', '.']],
  ['lint', 'npx', ['oxlint', '--type-aware', '--deny-warnings']],
  ['format', 'npx', ['oxfmt', '--check']],
  ['boundaries', 'node', ['scripts/check-boundaries.mjs']],
  ['unused code', 'npx', ['knip', '--no-progress']],
]

function run([name, command, args]) {
  const startedAt = Date.now()
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => (output += error.message))
    child.on('close', (code) => {
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
      if (code !== 0) console.log(output)
      done(code === 0)
    })
  })
}

const waiting = [...gates]
const results = []
async function lane() {
  for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) results.push(await run(gate))
}
const startedAt = Date.now()
await Promise.all([lane(), lane()])
const failed = results.filter((passed) => !passed).length
console.log(
  `verify: ${results.length - failed} passed, ${failed} failed, ${((Date.now() - startedAt) / 1000).toFixed(0)} s`,
)
process.exit(failed === 0 && results.length === gates.length ? 0 : 1)
