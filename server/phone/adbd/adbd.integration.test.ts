import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adbCommands, AdbPacketParser, encodeAdbPacket } from '@/server/wire/adb/packet'
import { isAdbInstalled, startDebianAdb, type DebianAdb } from './testing/debian-adb'
import { startTestPhone, type TestPhone } from './testing/start-test-phone'

if (!isAdbInstalled && !process.env['CI']) console.warn('Skipped: /usr/bin/adb is not installed (apt install adb).')

let phone: TestPhone
beforeAll(async () => {
  phone = await startTestPhone()
})
afterAll(() => phone.server.close())

describe.skipIf(!isAdbInstalled && !process.env['CI'])("Debian's adb", () => {
  let adb: DebianAdb
  let folder: string
  const run = async (args: string[], input?: string) => {
    const outcome = await adb.run(['-s', `127.0.0.1:${phone.server.port}`, ...args], input)
    return { ...outcome, stdout: outcome.stdout.toString('utf8') }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tapline-adb-'))
    adb = await startDebianAdb()
    const connected = await adb.run(['connect', `127.0.0.1:${phone.server.port}`])
    expect(connected.stdout.toString()).toContain('connected to')
  })
  afterAll(async () => {
    await adb.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('lists the phone with its names', async () => {
    const { stdout } = await adb.run(['devices', '-l'])
    expect(stdout.toString()).toMatch(/127\.0\.0\.1:\d+\s+device product:vphone model:Test_phone device:vphone/)
  })

  test('gets exit codes, stdout and stderr apart', async () => {
    expect(await run(['shell', 'echo out; echo err 1>&2; exit 7'])).toEqual({
      code: 7,
      stdout: 'out\n',
      stderr: 'err\n',
    })
    expect(await run(['shell', 'no-such-thing'])).toMatchObject({ code: 127, stdout: '' })
    expect(await run(['shell', 'cat'], 'typed')).toMatchObject({ code: 0, stdout: 'typed' })
    expect(await run(['shell'], 'echo a script; exit 3\n')).toMatchObject({ code: 3, stdout: 'a script\n' })
    expect(await run(['shell', '-x', 'echo legacy; foo'])).toMatchObject({
      stdout: 'legacy\n/system/bin/sh: foo: not found\n',
    })
  })

  test('gets a screenshot', async () => {
    const { stdout } = await adb.run(['-s', `127.0.0.1:${phone.server.port}`, 'exec-out', 'screencap', '-p'])
    const image = await loadImage(stdout)
    expect([image.width, image.height]).toEqual([540, 1200])
  })

  test('pushes and pulls 3 MB unchanged', async () => {
    const [source, back] = [join(folder, 'source.bin'), join(folder, 'back.bin')]
    const bytes = randomBytes(3_000_000)
    await writeFile(source, bytes)
    expect(await run(['push', source, '/sdcard/new/folder/file.bin'])).toMatchObject({ code: 0 })
    expect((await run(['shell', 'stat -c %s /sdcard/new/folder/file.bin'])).stdout).toBe('3000000\n')
    expect(await run(['pull', '/sdcard/new/folder/file.bin', back])).toMatchObject({ code: 0 })
    expect((await readFile(back)).equals(bytes)).toBe(true)
    expect((await run(['ls', '/sdcard/new/folder'])).stdout).toMatch(/002dc6c0 .* file\.bin/)
  })

  test('is told why a push or pull fails', async () => {
    const source = join(folder, 'small.txt')
    await writeFile(source, 'x')
    expect(await run(['push', source, '/system/x'])).toMatchObject({ code: 1 })
    const missing = await run(['pull', '/sdcard/none', folder])
    expect(missing.code).toBe(1)
    expect(missing.stderr + missing.stdout).toContain('No such file or directory')
  })

  test('reads the UI tree, taps, and starts an app', async () => {
    expect((await run(['exec-out', 'uiautomator', 'dump', '/dev/tty'])).stdout).toContain('<hierarchy rotation="0">')
    const [app] = phone.machine.packages()
    const component = `${app?.packageName}/${app?.activity}`
    expect(await run(['shell', 'am', 'start', '-W', '-n', component])).toMatchObject({ code: 0, stderr: '' })
    expect(phone.machine.foreground().packageName).toBe(app?.packageName)
    expect((await run(['shell', 'dumpsys window displays | grep mCurrentFocus'])).stdout).toContain(app?.packageName)
    await run(['shell', 'input', 'keyevent', 'KEYCODE_HOME'])
    expect(phone.machine.foreground().packageName).not.toBe(app?.packageName)
    // The app's icon, where the tree says it is.
    const tree = phone.machine.hierarchyXml()
    const node = tree.split('<node ').find((text) => text.includes(`text="${app?.label}"`))
    const [, x1, y1, x2, y2] = (/bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"/.exec(node ?? '') ?? []).map(Number)
    await run(['shell', 'input', 'tap', String(((x1 ?? 0) + (x2 ?? 0)) / 2), String(((y1 ?? 0) + (y2 ?? 0)) / 2)])
    expect(phone.machine.foreground().packageName).toBe(app?.packageName)
    expect((await run(['shell', 'wm', 'size'])).stdout).toBe('Physical size: 540x1200\n')
  })

  test('resets, saves and restores the phone', async () => {
    const hash = async () => (await run(['shell', 'tapline', 'hash'])).stdout
    await run(['shell', 'tapline', 'reset', '--seed', '5'])
    const { dataHash } = phone.machine.hashes()
    expect(JSON.parse(await hash())).toMatchObject({ dataHash })
    const { stdout: snapshot } = await run(['shell', 'tapline', 'snapshot'])
    await run(['shell', 'tapline', 'reset', '--seed', '6'])
    expect(phone.machine.hashes().dataHash).not.toBe(dataHash)
    expect(await run(['shell', 'tapline restore -'], snapshot)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(phone.machine.hashes().dataHash).toBe(dataHash)
    expect(Object.keys(JSON.parse((await run(['shell', 'tapline', 'state'])).stdout))).toEqual(['data', 'ui', 'clock'])
    expect(await run(['shell', 'tapline', 'restore', '/sdcard/none'])).toMatchObject({ code: 1 })
    expect(await run(['shell', 'tapline', 'dance'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('hears that there is no reverse connection', async () => {
    expect(await run(['reverse', '--list'])).toMatchObject({ code: 0, stdout: '\n' })
    expect(await run(['reverse', 'tcp:1', 'tcp:2'])).toMatchObject({ code: 1 })
    expect(await run(['reverse', '--remove', 'tcp:1'])).toMatchObject({ code: 1 })
    expect(await run(['reverse', '--remove-all'])).toMatchObject({ code: 0 })
  })
})

describe('a host that breaks the protocol', () => {
  const cnxn = encodeAdbPacket({
    command: adbCommands.CNXN,
    arg0: 0x01000001,
    arg1: 4_096,
    payload: Buffer.from('host::features=shell_v2'),
  })
  const open = (id: number, name: string) =>
    encodeAdbPacket({ command: adbCommands.OPEN, arg0: id, arg1: 0, payload: Buffer.from(`${name}\0`) })

  test.each([
    ['with a bad magic', Buffer.alloc(24, 1)],
    ['before CNXN', open(1, 'shell:echo')],
    [
      'with a device banner',
      encodeAdbPacket({ command: adbCommands.CNXN, arg0: 1, arg1: 4_096, payload: Buffer.from('device::') }),
    ],
    [
      'with a tiny maximum payload',
      encodeAdbPacket({ command: adbCommands.CNXN, arg0: 1, arg1: 1, payload: Buffer.from('host::') }),
    ],
  ])('%s is cut off, and others go on', async (_, bytes) => {
    const socket = connect(phone.server.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytes)
    await once(socket, 'close')
    expect((await exchange([cnxn, open(1, 'exec:echo on')])).some((packet) => packet.text === 'on\n')).toBe(true)
  })

  test('an unknown service and a socket nobody listens on are refused', async () => {
    const packets = await exchange([cnxn, open(7, 'localabstract:none'), open(8, 'nonsense:'), open(9, 'exec:true')])
    const refused = packets.filter((packet) => packet.command === adbCommands.CLSE && packet.arg0 === 0)
    expect(refused.map((packet) => packet.arg1)).toEqual([7, 8])
  })

  test('gets no payload over its maximum', async () => {
    const packets = await exchange([cnxn, open(1, 'exec:getprop; cat /system/bin/sh; screencap')])
    const sizes = packets.filter((packet) => packet.command === adbCommands.WRTE).map((packet) => packet.bytes)
    expect(Math.max(...sizes)).toBe(4_096)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(540 * 1_200 * 4)
  })

  /** Sends packets, acknowledges what comes, and returns it all up to the first stream's end. */
  function exchange(packets: Uint8Array[]) {
    return new Promise<{ command: number; arg0: number; arg1: number; bytes: number; text: string }[]>(
      (resolve, reject) => {
        const socket = connect(phone.server.port, '127.0.0.1')
        const parser = new AdbPacketParser()
        const received: { command: number; arg0: number; arg1: number; bytes: number; text: string }[] = []
        socket.on('error', reject)
        socket.on('data', (chunk) => {
          for (const packet of parser.push(chunk)) {
            const { command, arg0, arg1, payload } = packet
            received.push({
              command,
              arg0,
              arg1,
              bytes: payload.length,
              text: Buffer.from(payload.subarray(0, 100)).toString(),
            })
            if (command === adbCommands.WRTE) {
              socket.write(
                encodeAdbPacket({ command: adbCommands.OKAY, arg0: arg1, arg1: arg0, payload: new Uint8Array(0) }),
              )
            } else if (command === adbCommands.CLSE && arg0 !== 0) {
              socket.destroy()
              resolve(received)
            }
          }
        })
        for (const packet of packets) socket.write(packet)
      },
    )
  }
})
