import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { z } from 'zod'
import { cloneFolder } from '@/server/platform/clone-folder'

const logLine = z.looseObject({ msg: z.string() })
export type LogLine = z.infer<typeof logLine>

export type TestChild = {
  pid: number
  /** Resolves with the first line of its log, also an earlier one, whose message is this. */
  waitForLog(message: string): Promise<LogLine>
  /** Dies at once, as in a power cut. */
  kill(): Promise<void>
  /** Stops as asked. */
  stop(): Promise<void>
}

/** Bundles the named entries of `server/bin` to `dist/bin`. */
export async function bundleBins(names: string[]): Promise<void> {
  const script = `import(${JSON.stringify(join(cloneFolder(), 'scripts', 'build-bin.mjs'))}).then((bins) => bins.buildBins(${JSON.stringify(names)}))`
  await promisify(execFile)(process.execPath, ['--eval', script], { cwd: cloneFolder() })
}

/** Starts `dist/bin/<name>.mjs` with these variables besides PATH and HOME. */
export function startBin(name: string, env: Record<string, string>): TestChild {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [join(cloneFolder(), 'dist', 'bin', `${name}.mjs`)], {
    env: { PATH, HOME, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: LogLine[] = []
  const other: string[] = []
  const waiters = new Set<() => void>()
  const read = (text: string) => {
    try {
      lines.push(logLine.parse(JSON.parse(text)))
    } catch {
      other.push(text)
    }
    for (const check of waiters) check()
  }
  createInterface({ input: child.stdout }).on('line', read)
  createInterface({ input: child.stderr }).on('line', read)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid ?? 0,
    waitForLog: (message) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = lines.find((line) => line.msg === message)
          if (found) {
            waiters.delete(check)
            resolve(found)
          } else if (hasExited(child)) {
            reject(
              new Error(`${name} ended before "${message}": ${[...lines.map(({ msg }) => msg), ...other].join('\n')}`),
            )
          }
        }
        waiters.add(check)
        void ended.then(check)
        check()
      }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      if (hasExited(child)) return
      child.kill('SIGTERM')
      await ended
    },
  }
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** A TCP port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}
