import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGuardedDevice } from '../testing/guarded-device'
import { startTestPhone, type TestPhone } from '../testing/test-phone'
import { createCredentialStore } from './credential-store'
import { describeDevice } from './describe-device'
import { openAdb } from './open-adb'
import { runShell } from './run-shell'

let phone: TestPhone
beforeAll(async () => {
  phone = await startTestPhone('TEST3')
})
afterAll(() => phone?.stop())

describe('openAdb', () => {
  test('connects, and the device says who it is', async () => {
    const adb = await openAdb(phone.address)
    expect(await describeDevice(adb)).toEqual({
      serial: 'TEST3',
      name: 'Phone TEST3',
      model: expect.any(String),
      kind: 'simulated',
    })
    await adb.close()
  })

  test('a port where nobody listens is named', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    await new Promise((resolve) => server.close(resolve))
    await expect(openAdb(`127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`127.0.0.1:${port}`),
    })
  })

  test.each(['5611', 'host', 'host:0', 'host:99999', ''])('the address %j is refused', async (address) => {
    await expect(openAdb(address)).rejects.toMatchObject({ code: 'bad-input' })
  })

  test('the signal ends a handshake with someone who says nothing', async () => {
    const accepted = new Promise<void>((resolve) => silent.once('connection', () => resolve()))
    const stopped = new AbortController()
    const opening = openAdb(silentAddress, { signal: stopped.signal })
    const refused = expect(opening).rejects.toThrow('enough')
    await accepted
    stopped.abort(new Error('enough'))
    await refused
  })

  const silent = createServer()
  let silentAddress = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    silentAddress = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  afterAll(() => {
    silent.close()
  })

  test('a connection that is lost settles `disconnected`, and what ran ends', async () => {
    const other = await startTestPhone('TEST4')
    const adb = await openAdb(other.address)
    const disconnected = adb.disconnected.catch(() => undefined)
    await other.stop()
    await disconnected
    await expect(runShell(adb, ['getprop'], { timeoutMs: 200 })).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('runShell', () => {
  test('tells output and exit code', async () => {
    const adb = await openAdb(phone.address)
    expect(await runShell(adb, ['getprop', 'ro.serialno'])).toEqual({ exitCode: 0, stdout: 'TEST3\n', stderr: '' })
    expect((await runShell(adb, ['no-such-program'])).exitCode).toBe(127)
    await adb.close()
  })

  test.each(['$(reboot)', '`id`', "it's", '"; rm -rf /', '*', 'a\nb', '\\', ' ', '> /x', '你好'])(
    'the argument %j arrives as it is',
    async (argument) => {
      const adb = await openAdb(phone.address)
      expect((await runShell(adb, ['echo', argument])).stdout).toBe(`${argument}\n`)
      await adb.close()
    },
  )

  test('NUL is refused', async () => {
    const adb = await openAdb(phone.address)
    await expect(runShell(adb, ['echo', 'a\0b'])).rejects.toMatchObject({ code: 'bad-input' })
    await adb.close()
  })
})

describe('the key', () => {
  test('is made once, kept for its owner alone, and found again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tapline-key-'))
    try {
      const store = createCredentialStore(folder)
      expect(await keysOf(store)).toEqual([])
      const [one, two] = await Promise.all([store.generateKey(), createCredentialStore(folder).generateKey()])
      expect(Buffer.from(one.buffer)).toEqual(Buffer.from(two.buffer))
      const path = join(folder, 'adb-key.json')
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await readFile(path, 'utf8')).toContain(Buffer.from(one.buffer).toString('base64'))
      expect((await keysOf(createCredentialStore(folder))).map((key) => Buffer.from(key.buffer))).toEqual([
        Buffer.from(one.buffer),
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('signs in at a device that asks for it, which is shown it the first time only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tapline-key-'))
    const device = await startGuardedDevice()
    try {
      for (const expected of ['public key', 'signature']) {
        const stopped = new AbortController()
        const credentialStore = createCredentialStore(folder)
        await openAdb(device.address, { credentialStore, signal: stopped.signal })
        expect(device.letInBy.at(-1)).toBe(expected)
        const [key] = await keysOf(credentialStore)
        device.trust(key?.buffer ?? new Uint8Array())
        stopped.abort()
      }
    } finally {
      device.close()
      await rm(folder, { recursive: true })
    }
  })

  test('that is damaged is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tapline-key-'))
    try {
      await writeFile(join(folder, 'adb-key.json'), '{')
      await expect(keysOf(createCredentialStore(folder))).rejects.toMatchObject({ code: 'internal' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  async function keysOf(store: ReturnType<typeof createCredentialStore>) {
    const keys = []
    for await (const key of store.iterateKeys()) keys.push(key)
    return keys
  }
})
