import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'

const program = '/usr/bin/adb'

export const isAdbInstalled = existsSync(program)

export type AdbOutcome = { code: number; stdout: Buffer; stderr: string }

export type DebianAdb = {
  run(args: readonly string[], input?: string): Promise<AdbOutcome>
  close(): Promise<void>
}

/** Debian's adb with a server of its own on a free port; `close` ends that server and no other. */
export async function startDebianAdb(): Promise<DebianAdb> {
  const port = await freePort()
  const env = { ...process.env, ANDROID_ADB_SERVER_PORT: String(port) }
  // The server outlives the command that starts it and keeps its output open: wait for the exit, not for the streams.
  const starting = spawn(program, ['start-server'], { env, stdio: 'ignore' })
  await once(starting, 'exit')
  const run = (args: readonly string[], input?: string) =>
    new Promise<AdbOutcome>((resolve, reject) => {
      const options = { env, encoding: 'buffer' as const, maxBuffer: 64 * 1_048_576 }
      const child = execFile(program, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code
        if (typeof code !== 'number') reject(error ?? new Error('adb did not run'))
        else resolve({ code, stdout, stderr: stderr.toString('utf8') })
      })
      // adb may have ended without reading it.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input ?? '')
    })
  return {
    run,
    close: async () => {
      await run(['-P', String(port), 'kill-server'])
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no TCP port')
  return address.port
}
