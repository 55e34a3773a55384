import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../log'
import { isProcessAlive } from '../machine'
import { bundleForChild } from '../testing/bundle-for-child'
import { superviseChild } from './supervise'

const log = createLogger('supervise test', { write: () => undefined })
let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'tapline-supervise-'))))
afterEach(() => rm(folder, { recursive: true }))

/** Resolves with the file's lines once it has that many. */
async function linesOf(path: string, count: number): Promise<string[]> {
  const changed = watch(folder)
  try {
    for (;;) {
      const next = once(changed, 'change')
      const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1)
      if (lines.length >= count) return lines
      await next
    }
  } finally {
    changed.close()
  }
}

const plan = (code: string) => ({ name: 'child', args: ['-e', code], env: process.env })
const appendPid = (path: string) => `require('fs').appendFileSync(${JSON.stringify(path)}, process.pid + '\\n');`

test('a child that dies is started again, one that is stopped is not', async () => {
  const path = join(folder, 'pids')
  const child = superviseChild(plan(`${appendPid(path)} setInterval(() => {}, 1000)`), log)
  const [first] = await linesOf(path, 1)
  process.kill(Number(first), 'SIGKILL')
  const pids = await linesOf(path, 2)
  expect(pids[1]).not.toBe(first)
  expect(child.pid()).toBe(Number(pids[1]))

  child.restart()
  const [, , third] = await linesOf(path, 3)
  await child.stop(4_000)
  expect(child.pid()).toBeNull()
  expect(isProcessAlive(Number(third))).toBe(false)
  expect(await linesOf(path, 3)).toHaveLength(3)
})

test('a child that ignores SIGTERM is killed', async () => {
  const path = join(folder, 'pids')
  const code = `process.on('SIGTERM', () => {}); ${appendPid(path)} setInterval(() => {}, 1000)`
  const child = superviseChild(plan(code), log)
  const [pid] = await linesOf(path, 1)
  await child.stop(50)
  expect(isProcessAlive(Number(pid))).toBe(false)
})

test('when the supervisor is killed its children stop cleanly', async () => {
  const bundle = await bundleForChild('server/platform/testing/watched-child.ts')
  const code = `
    const child = require('child_process').spawn(process.execPath, [${JSON.stringify(bundle.path)}], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true,
    })
    setInterval(() => {}, 1000)`
  const supervisor = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let output = ''
    const ended = once(supervisor.stdout, 'end')
    const isRunning = new Promise<void>((resolve) =>
      supervisor.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('running')) resolve()
      }),
    )
    await isRunning
    supervisor.kill('SIGKILL')
    // The pipe ends when the last process that holds it is gone.
    await ended
    expect(output).toBe('running\nstopped\n')
  } finally {
    supervisor.kill('SIGKILL')
    await bundle.remove()
  }
})
