import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createListener, type Listener } from '@/server/platform/notify'
import { testDatabase } from '@/server/platform/testing/test-database'
import type { Device } from '../contract'
import { followDevices } from '../follow-devices'
import { startTestPhone, type TestPhone } from '../testing/test-phone'

const clone = fileURLToPath(new URL('../../..', import.meta.url))
let folder: string
let phone: TestPhone
let database: Awaited<ReturnType<typeof testDatabase>>
let listener: Listener
let gateway: ChildProcess | null = null

beforeAll(async () => {
  // Inside the clone: what is not bundled is found in its node_modules.
  await mkdir(join(clone, 'dist'), { recursive: true })
  folder = await mkdtemp(join(clone, 'dist', 'gateway-test-'))
  await build({
    entryPoints: [join(clone, 'server/bin/gateway.ts')],
    outfile: join(folder, 'gateway.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: { '@': clone },
    logLevel: 'silent',
  })
  phone = await startTestPhone('TEST6')
  database = await testDatabase()
  listener = createListener(database.url)
})
afterAll(async () => {
  gateway?.kill('SIGKILL')
  await listener?.close()
  await database?.close()
  await phone?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function untilDevices(isDone: (devices: Device[]) => boolean): Promise<void> {
  const stopped = new AbortController()
  for await (const devices of followDevices(database.db, listener, stopped.signal)) if (isDone(devices)) break
  stopped.abort()
}

test('the process serves, says which devices it has, and leaves nothing behind at SIGTERM', async () => {
  const port = await freePort()
  const started = spawn(process.execPath, [join(folder, 'gateway.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      TAPLINE_DATA: join(folder, 'data'),
      TAPLINE_GATEWAY_PORT: String(port),
      TAPLINE_PHONES: '',
      TAPLINE_DEVICES: phone.address,
      TAPLINE_LOG_LEVEL: 'error',
    },
  })
  gateway = started
  const exited = new Promise<number | null>((resolve) => started.once('exit', resolve))
  await Promise.race([
    untilDevices((devices) => devices[0]?.state === 'online'),
    exited.then((code) => Promise.reject(new Error(`the gateway exited with ${code}`))),
  ])
  await expect.poll(() => fetch(`http://127.0.0.1:${port}/healthz`).then((response) => response.status)).toBe(200)
  started.kill('SIGTERM')
  expect(await exited).toBe(0)
  gateway = null
  await untilDevices((devices) => devices[0]?.state === 'offline')
})
