import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { TaplineError } from '@/server/platform/errors'
import type { PhoneIdentity } from './properties'

const maxForks = 4
const startTimeoutMs = 20_000
const killAfterMs = 1_000
const listeningLine = z.object({ listening: z.number().int().positive() })

export type PhoneForks = {
  /** Starts a phone from a snapshot; returns its `host:port`. Throws TaplineError `busy` past 4, `unavailable` when it does not start. */
  start(snapshot: string): Promise<string>
  /** Ends them all. */
  close(): Promise<void>
}

/** Phones that are children of this process and end with it. `entryFile` is the program of a phone. */
export function createPhoneForks(options: { entryFile: string; identity: PhoneIdentity; seed: number }): PhoneForks {
  const children = new Set<ChildProcess>()
  let count = 0

  const start = async (snapshot: string) => {
    if (children.size >= maxForks) throw new TaplineError('busy', `A phone has at most ${maxForks} forks at a time.`)
    count++
    const folder = await mkdtemp(join(tmpdir(), 'tapline-fork-'))
    try {
      const snapshotFile = join(folder, 'snapshot.json')
      await writeFile(snapshotFile, snapshot, { mode: 0o600 })
      const child = fork(options.entryFile, [], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        env: {
          ...process.env,
          TAPLINE_PHONE_PORT: '0',
          TAPLINE_PHONE_NAME: `${options.identity.name} fork ${count}`,
          TAPLINE_PHONE_SERIAL: `${options.identity.serial}-F${count}`,
          TAPLINE_PHONE_SEED: String(options.seed),
          TAPLINE_PHONE_SNAPSHOT: snapshotFile,
        },
      })
      children.add(child)
      child.once('exit', () => children.delete(child))
      return `127.0.0.1:${await portOf(child)}`
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const close = async () => {
    await Promise.all([...children].map(stop))
  }

  return { start, close }
}

/** Reads the child's log until it says where it listens; what it logs is passed on. */
async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new TaplineError('internal', 'A forked phone has no output.')
  const lines = createInterface({ input: child.stdout })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<number>((resolve, reject) => {
      const fail = (reason: string) =>
        reject(new TaplineError('unavailable', `The forked phone did not start: ${reason}.`))
      timer = setTimeout(() => fail(`it said nothing for ${startTimeoutMs / 1_000} s`), startTimeoutMs)
      child.once('error', (error) => fail(error.message))
      child.once('exit', (code) => fail(`it ended with code ${code}`))
      lines.on('line', (line) => {
        process.stdout.write(`${line}\n`)
        const port = listeningPortIn(line)
        if (port !== null) resolve(port)
      })
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function listeningPortIn(line: string): number | null {
  try {
    const parsed = listeningLine.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data.listening : null
  } catch {
    // Not every line of a log is JSON.
    return null
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  await exited
  clearTimeout(timer)
}
