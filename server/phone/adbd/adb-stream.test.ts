import { describe, expect, test } from 'vitest'
import { BrokenPipeError } from '@/server/phone/shell/byte-pipe'
import { adbCommands, type AdbPacket } from '@/server/wire/adb/packet'
import { AdbStream } from './adb-stream'

function open(maxPayloadBytes = 4) {
  const sent: AdbPacket[] = []
  let closed = 0
  const stream = new AdbStream({
    localId: 1,
    remoteId: 2,
    maxPayloadBytes,
    send: (packet) => sent.push(packet),
    onClosed: () => closed++,
  })
  return { stream, sent, closedTimes: () => closed, written: () => writesOf(sent) }
}

function writesOf(sent: AdbPacket[]): string[] {
  return sent
    .filter((packet) => packet.command === adbCommands.WRTE)
    .map((packet) => Buffer.from(packet.payload).toString())
}

const bytes = (text: string) => Buffer.from(text)

describe('an adb stream', () => {
  test('sends one WRTE at a time, cut and joined to the maximum payload', async () => {
    const { stream, written } = open()
    await stream.write(bytes('abcdef'))
    await stream.write(bytes('g'))
    await stream.write(bytes('hijk'))
    expect(written()).toEqual(['abcd'])
    stream.acknowledge()
    expect(written()).toEqual(['abcd', 'efgh'])
    stream.acknowledge()
    stream.acknowledge()
    expect(written()).toEqual(['abcd', 'efgh', 'ijk'])
    expect(stream.queuedBytes).toBe(0)
  })

  test('closes after what is queued', async () => {
    const { stream, sent, closedTimes } = open()
    await stream.write(bytes('abcdef'))
    stream.end()
    await expect(stream.write(bytes('x'))).rejects.toThrow(BrokenPipeError)
    stream.acknowledge()
    expect(sent.at(-1)?.command).toBe(adbCommands.WRTE)
    stream.acknowledge()
    expect(sent.at(-1)?.command).toBe(adbCommands.CLSE)
    expect(closedTimes()).toBe(1)
    stream.closeByHost({ answer: true })
    expect(closedTimes()).toBe(1)
  })

  test('acknowledges what the service has read, and refuses a second WRTE before that', async () => {
    const { stream, sent } = open()
    expect(stream.receive(bytes('a'))).toBe(true)
    expect(stream.receive(bytes('b'))).toBe(false)
    expect(sent).toEqual([])
    expect(await stream.read()).toEqual(bytes('a'))
    expect(sent.map((packet) => packet.command)).toEqual([adbCommands.OKAY])
  })

  test('a write past the limit waits until the host has taken enough', async () => {
    const { stream } = open(1_048_576)
    let isDone = false
    const writing = stream.write(new Uint8Array(1_048_577)).then(() => (isDone = true))
    await Promise.resolve()
    expect(isDone).toBe(false)
    stream.acknowledge()
    await writing
  })

  test('the end of the host ends readers, writers and the signal', async () => {
    const { stream, sent } = open(1_048_576)
    const reading = stream.read()
    const writing = stream.write(new Uint8Array(2_000_000))
    const sentBefore = sent.length
    stream.closeByHost({ answer: false })
    expect(await reading).toBeNull()
    await expect(writing).rejects.toThrow(BrokenPipeError)
    expect(stream.signal.aborted).toBe(true)
    expect(sent).toHaveLength(sentBefore)
  })

  test('what had arrived before the end can still be read', async () => {
    const { stream } = open()
    stream.receive(bytes('a'))
    stream.closeByHost({ answer: true })
    expect(await stream.read()).toEqual(bytes('a'))
    expect(await stream.read()).toBeNull()
  })
})
