import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adbCommands, AdbPacketParser, encodeAdbPacket } from '@/server/wire/adb/packet'

const root = fileURLToPath(new URL('../../', import.meta.url))
let folder: string
let entryFile: string
const started: ChildProcess[] = []

beforeAll(async () => {
  // Inside the clone, so that the bundle finds node_modules.
  await mkdir(join(root, 'dist'), { recursive: true })
  folder = await mkdtemp(join(root, 'dist', 'phone-test-'))
  entryFile = join(folder, 'phone.mjs')
  await build({
    entryPoints: [join(root, 'server/bin/phone.ts')],
    outfile: entryFile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
})
afterAll(async () => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

test('a phone starts, forks, and ends with its fork at SIGTERM', async () => {
  const child = start({ TAPLINE_PHONE_PORT: '0', TAPLINE_PHONE_SERIAL: 'BIN0001', TAPLINE_PHONE_SEED: '7' })
  const port = await listeningPort(child)
  expect(await shell(port, 'getprop ro.serialno')).toBe('BIN0001\n')
  const forkAddress = (await shell(port, 'tapline fork')).trim()
  expect(forkAddress).toMatch(/^127\.0\.0\.1:\d+$/)
  const forkPort = Number(forkAddress.split(':')[1])
  const dataHash = (text: string) => /"dataHash":"(\w{64})"/.exec(text)?.[1]
  const ours = dataHash(await shell(port, 'tapline hash'))
  expect(ours).toBeDefined()
  expect(dataHash(await shell(forkPort, 'tapline hash'))).toBe(ours)
  await shell(forkPort, 'tapline reset --seed 8')
  expect(dataHash(await shell(forkPort, 'tapline hash'))).not.toBe(ours)
  expect(dataHash(await shell(port, 'tapline hash'))).toBe(ours)

  const toFork = await openSocket(forkPort)
  const forkGone = once(toFork, 'close')
  child.kill('SIGTERM')
  const [[code]] = await Promise.all([once(child, 'exit'), forkGone])
  expect(code).toBe(0)
})

test.each([
  [{ TAPLINE_PHONE_PORT: '70000' }, 'TAPLINE_PHONE_PORT'],
  [{ TAPLINE_PHONE_NAME: 'a;b' }, 'TAPLINE_PHONE_NAME'],
  [{ TAPLINE_PHONE_SEED: '-1' }, 'TAPLINE_PHONE_SEED'],
])('%j is refused by name', async (settings, name) => {
  const child = start(settings)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'close')
  expect(code).toBe(2)
  expect(output).toContain(name)
})

test('a snapshot that is none and a port that is taken end it with a reason', async () => {
  const occupied = createServer()
  occupied.listen(0, '127.0.0.1')
  await once(occupied, 'listening')
  const address = occupied.address()
  const port = String(address !== null && typeof address === 'object' ? address.port : 0)
  for (const [settings, reason] of [
    [{ TAPLINE_PHONE_SNAPSHOT: entryFile }, 'snapshot'],
    [{ TAPLINE_PHONE_SNAPSHOT: join(folder, 'none') }, 'ENOENT'],
    [{ TAPLINE_PHONE_PORT: port }, `can't listen on 127.0.0.1:${port}`],
  ] as const) {
    const child = start(settings)
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    expect(output).toContain(reason)
  }
  occupied.close()
})

function start(settings: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [entryFile], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  return child
}

async function listeningPort(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('the phone has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /"listening":(\d+)/.exec(line)?.[1]
    if (port !== undefined) {
      // The rest is read too, or the phone would stop at a full pipe.
      child.stdout.resume()
      return Number(port)
    }
  }
  throw new Error('the phone ended before it listened')
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const payload = Buffer.from('host::features=shell_v2')
  socket.write(encodeAdbPacket({ command: adbCommands.CNXN, arg0: 0x01000001, arg1: 1_048_576, payload }))
  await once(socket, 'data')
  return socket
}

/** Runs a command over adb's legacy shell and returns its output. */
async function shell(port: number, command: string): Promise<string> {
  const socket = await openSocket(port)
  const parser = new AdbPacketParser()
  const empty = new Uint8Array(0)
  let output = ''
  socket.write(
    encodeAdbPacket({ command: adbCommands.OPEN, arg0: 1, arg1: 0, payload: Buffer.from(`exec:${command}\0`) }),
  )
  for await (const chunk of socket) {
    for (const packet of parser.push(chunk as Uint8Array)) {
      if (packet.command === adbCommands.WRTE) {
        output += Buffer.from(packet.payload).toString()
        socket.write(encodeAdbPacket({ command: adbCommands.OKAY, arg0: 1, arg1: packet.arg0, payload: empty }))
      } else if (packet.command === adbCommands.CLSE) {
        socket.destroy()
        return output
      }
    }
  }
  return output
}
