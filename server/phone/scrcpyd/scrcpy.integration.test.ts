import { once } from 'node:events'
import { connect } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { Adb, AdbDaemonTransport, AdbPacket, AdbPacketSerializeStream, type AdbSocket } from '@yume-chan/adb'
import { AdbScrcpyClient, AdbScrcpyExitedError, AdbScrcpyOptions3_3_3 } from '@yume-chan/adb-scrcpy'
import {
  AndroidKeyCode,
  AndroidKeyEventAction,
  AndroidKeyEventMeta,
  AndroidMotionEventAction,
  type ScrcpyMediaStreamPacket,
} from '@yume-chan/scrcpy'
import { Consumable, ReadableStream, StructDeserializeStream, WritableStream } from '@yume-chan/stream-extra'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPhone, type TestPhone } from '@/server/phone/adbd/testing/start-test-phone'
import { toolResult } from '@/server/tool/contract'

const serverPath = '/data/local/tmp/scrcpy-server.jar'
let phone: TestPhone
let adb: Adb

beforeAll(async () => {
  phone = await startTestPhone()
  adb = await connectTango(phone.server.port)
  const sync = await adb.sync()
  await sync.write({
    filename: serverPath,
    file: new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(90_164))
        controller.close()
      },
    }),
  })
  await sync.dispose()
})
afterAll(async () => {
  await adb.close()
  await phone.server.close()
})

describe('Tango', () => {
  test('sees metadata, configuration and a key frame, and each touch as a new frame', async () => {
    const session = await startSession({ audio: false })
    expect(session.metadata).toMatchObject({ width: 540, height: 1_200, deviceName: 'Test phone' })
    const configuration = await session.next()
    expect(configuration).toMatchObject({ type: 'configuration' })
    expect([...configuration.data.subarray(0, 5)]).toEqual([0, 0, 0, 1, 0x67])
    const first = await session.next()
    expect(first).toMatchObject({ type: 'data', keyframe: true })

    const [app] = phone.machine.packages()
    const { x, y } = centreOf(app?.label ?? '')
    const isOpen = changed(() => phone.machine.foreground().packageName === app?.packageName)
    await session.touch(AndroidMotionEventAction.Down, x, y)
    await session.touch(AndroidMotionEventAction.Up, x, y)
    await isOpen
    const second = await session.next()
    expect(second).toMatchObject({ type: 'data', keyframe: false })
    expect((second.type === 'data' && second.pts) || 0n).toBeGreaterThan((first.type === 'data' && first.pts) || 0n)

    const isHome = changed(() => phone.machine.foreground().packageName !== app?.packageName)
    await session.key(AndroidKeyCode.AndroidHome)
    await isHome
    await session.close()
  })

  test('gets configuration and a key frame again after RESET_VIDEO on a screen that stands still', async () => {
    const session = await startSession({ audio: false })
    await session.until((packet) => packet.type === 'data' && packet.keyframe === true)
    await session.client.controller?.resetVideo()
    await session.until((packet) => packet.type === 'configuration')
    expect(await session.next()).toMatchObject({ type: 'data', keyframe: true })
    await session.close()
  })

  test('gets a last small frame when the screen has come to rest', async () => {
    const session = await startSession({ audio: false })
    await session.until((packet) => packet.type === 'data' && packet.keyframe === true)
    const settled = await session.until((packet) => packet.type === 'data' && packet.data.length < 40)
    expect(settled).toMatchObject({ keyframe: false })
    await session.close()
  })

  test('is told that there is no audio, and a smaller video when it asks for one', async () => {
    const session = await startSession({ audio: true, maxSize: 600 })
    expect(await session.client.audioStream).toMatchObject({ type: 'disabled' })
    expect(session.metadata).toMatchObject({ width: 264, height: 600 })
    await session.until((packet) => packet.type === 'data' && packet.keyframe === true)
    await session.close()
  })

  test('ignores a touch meant for another size', async () => {
    const session = await startSession({ audio: false })
    const before = phone.machine.foreground().packageName
    const { x, y } = centreOf(phone.machine.packages()[0]?.label ?? '')
    await session.touch(AndroidMotionEventAction.Down, x, y, { width: 720, height: 1_280 })
    await session.touch(AndroidMotionEventAction.Up, x, y, { width: 720, height: 1_280 })
    // The clipboard's acknowledgement comes after the touches were handled.
    await session.client.controller?.setClipboard({ sequence: 7n, paste: false, content: '剪贴板' })
    expect(phone.machine.clipboard()).toBe('剪贴板')
    expect(phone.machine.foreground().packageName).toBe(before)
    await session.close()
  })

  test('falls back to forward when reverse is refused', async () => {
    const session = await startSession({ audio: false, tunnelForward: false })
    expect(session.metadata).toMatchObject({ width: 540 })
    await session.close()
  })

  test('is told when its version is another', async () => {
    const options = new AdbScrcpyOptions3_3_3({ tunnelForward: true, cleanup: false }, { version: '3.3.2' })
    const error = await AdbScrcpyClient.start(adb, serverPath, options).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(AdbScrcpyExitedError)
    expect(error instanceof AdbScrcpyExitedError ? error.output.join('\n') : '').toContain(
      'The server version (3.3.3) does not match the client (3.3.2)',
    )
  })

  test('starts again at once after it has closed', async () => {
    for (let round = 0; round < 3; round++) await (await startSession({ audio: false })).close()
    expect(await adb.subprocess.noneProtocol.spawnWaitText('echo still here')).toBe('still here\n')
  })
})

test("the phone's tools are listed and called over MCP on an adb stream", async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(mcpTransport(await adb.createSocket('localabstract:tapline_tools')))
  const { tools } = await client.listTools()
  expect(tools.map((tool) => tool.name)).toEqual(phone.machine.tools().map((tool) => tool.name))
  const unknown = await client.callTool({ name: 'none.such', arguments: {} })
  expect(unknown.isError).toBe(true)
  expect(toolResult.parse(unknown.structuredContent)).toMatchObject({ ok: false, code: 'unknown-tool' })
  const reading = phone.machine.tools().find((tool) => tool.readOnly && tool.input.safeParse({}).success)
  const read = await client.callTool({ name: reading?.name ?? '', arguments: {} })
  const envelope = toolResult.parse(read.structuredContent)
  expect(envelope).toMatchObject({ ok: true, code: 'ok' })
  expect(read.content).toEqual([{ type: 'text', text: envelope.message }])
  await client.close()
})

test('a line that is not JSON-RPC is answered and the next one served', async () => {
  const socket = await adb.createSocket('localabstract:tapline_tools')
  const writer = socket.writable.getWriter()
  const reader = socket.readable.getReader()
  for (const [line, code] of [
    ['nonsense', -32_700],
    ['{"a":1}', -32_600],
  ] as const) {
    await Consumable.WritableStream.write(writer, Buffer.from(`${line}\n`))
    const { value } = await reader.read()
    expect(JSON.parse(Buffer.from(value ?? []).toString())).toMatchObject({ error: { code } })
  }
  await socket.close()
})

async function startSession(init: { audio: boolean; maxSize?: number; tunnelForward?: boolean }) {
  const options = new AdbScrcpyOptions3_3_3({ tunnelForward: true, cleanup: false, scid: '0a1b2c3d', ...init })
  const client = await AdbScrcpyClient.start(adb, serverPath, options)
  const output = client.output.pipeTo(new WritableStream()).catch(() => {})
  const video = await client.videoStream
  if (video === undefined) throw new Error('the session has no video')
  const reader = video.stream.getReader()
  const next = async (): Promise<ScrcpyMediaStreamPacket> => {
    const { value } = await reader.read()
    if (value === undefined) throw new Error('the video ended')
    return value
  }
  return {
    client,
    metadata: video.metadata,
    next,
    async until(isWanted: (packet: ScrcpyMediaStreamPacket) => boolean) {
      for (;;) {
        const packet = await next()
        if (isWanted(packet)) return packet
      }
    },
    touch: (action: AndroidMotionEventAction, x: number, y: number, size = { width: 540, height: 1_200 }) =>
      client.controller?.injectTouch({
        action,
        pointerId: 1n,
        pointerX: x,
        pointerY: y,
        videoWidth: size.width,
        videoHeight: size.height,
        pressure: 1,
        actionButton: 0,
        buttons: 0,
      }),
    async key(keyCode: AndroidKeyCode) {
      for (const action of [AndroidKeyEventAction.Down, AndroidKeyEventAction.Up]) {
        await client.controller?.injectKeyCode({ action, keyCode, repeat: 0, metaState: AndroidKeyEventMeta.None })
      }
    },
    async close() {
      await client.close()
      await output
    },
  }
}

/** Where the tree shows a text. */
function centreOf(text: string): { x: number; y: number } {
  const node = phone.machine
    .hierarchyXml()
    .split('<node ')
    .find((part) => part.includes(`text="${text}"`))
  const [, x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (/bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"/.exec(node ?? '') ?? []).map(
    Number,
  )
  return { x: (x1 + x2) / 2, y: (y1 + y2) / 2 }
}

/** Resolves when the phone's state fulfils the condition. */
function changed(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = phone.machine.onChange(() => {
      if (!holds()) return
      unsubscribe()
      resolve()
    })
  })
}

/** Tango speaks to a daemon over any byte stream; here it is TCP. */
async function connectTango(port: number): Promise<Adb> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      socket.on('data', (chunk) => controller.enqueue(new Uint8Array(chunk)))
      // Tango may have cancelled the stream by then.
      socket.on('end', () => controller.close())
    },
  }).pipeThrough(new StructDeserializeStream(AdbPacket))
  const serializer = new AdbPacketSerializeStream()
  const sink = new Consumable.WritableStream<Uint8Array>({
    write: (chunk) => new Promise<void>((resolve) => socket.write(chunk, () => resolve())),
    close: () => void socket.destroy(),
  })
  void serializer.readable.pipeTo(sink).catch(() => socket.destroy())
  const transport = await AdbDaemonTransport.authenticate({
    serial: `127.0.0.1:${port}`,
    connection: { readable, writable: serializer.writable },
    // The phone asks for no key.
    credentialStore: { generateKey: () => Promise.reject(new Error('no key')), iterateKeys: function* () {} },
  })
  return new Adb(transport)
}

function mcpTransport(socket: AdbSocket): Transport {
  const writer = socket.writable.getWriter()
  let received = ''
  const transport: Transport = {
    start: async () => {
      const sink = new WritableStream<Uint8Array>({
        write(chunk) {
          received += Buffer.from(chunk).toString('utf8')
          const lines = received.split('\n')
          received = lines.pop() ?? ''
          for (const line of lines) transport.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(line)))
        },
      })
      void socket.readable.pipeTo(sink).catch(() => {})
    },
    send: (message) => Consumable.WritableStream.write(writer, Buffer.from(`${JSON.stringify(message)}\n`)),
    close: async () => {
      await socket.close()
      transport.onclose?.()
    },
  }
  return transport
}
