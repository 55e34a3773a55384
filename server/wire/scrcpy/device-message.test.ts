import { ScrcpyOptions3_3_3 } from '@yume-chan/scrcpy'
import { BufferedReadableStream, ReadableStream } from '@yume-chan/stream-extra'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DeviceMessageParser, encodeDeviceMessage, type DeviceMessage } from '@/server/wire/scrcpy/device-message'
import { chunkSizes, concatenate, fromHex, pushInChunks } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

test.each<[DeviceMessage, string]>([
  [{ type: 'clipboard', text: 'ABC' }, '00 00000003 414243'],
  [{ type: 'ack-clipboard', sequence: 0x0102030405060708n }, '01 0102030405060708'],
  [{ type: 'uhid-output', id: 42, data: fromHex('0102030405') }, '02 002a 0005 0102030405'],
])('golden bytes, written and read: %o', (message, hex) => {
  expect(encodeDeviceMessage(message)).toEqual(fromHex(hex))
  expect(new DeviceMessageParser().push(fromHex(hex))).toEqual([message])
})

const wellFormed = { noNullPrototype: true }
const messages: fc.Arbitrary<DeviceMessage> = fc.oneof(
  fc.record({ type: fc.constant('clipboard' as const), text: fc.string({ unit: 'grapheme' }) }, wellFormed),
  fc.record(
    { type: fc.constant('ack-clipboard' as const), sequence: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) },
    wellFormed,
  ),
  fc.record(
    {
      type: fc.constant('uhid-output' as const),
      id: fc.integer({ min: 0, max: 0xffff }),
      data: fc.uint8Array({ maxLength: 60 }),
    },
    wellFormed,
  ),
)

test('reads what it wrote, in any pieces', () => {
  fc.assert(
    fc.property(fc.array(messages), chunkSizes, (sent, sizes) => {
      const parser = new DeviceMessageParser()
      expect(pushInChunks(parser, concatenate(sent.map(encodeDeviceMessage)), sizes)).toEqual(sent)
      expect(parser.pendingBytes).toBe(0)
    }),
  )
})

test('Tango reads our clipboard message', async () => {
  const options = new ScrcpyOptions3_3_3({ clipboardAutosync: true })
  const bytes = encodeDeviceMessage({ type: 'clipboard', text: 'héllo 漢' })
  const stream = new BufferedReadableStream(ReadableStream.from([bytes.subarray(1)]))
  const reader = options.clipboard?.getReader()
  const [received] = await Promise.all([reader?.read(), options.deviceMessageParsers.parse(0, stream)])
  expect(received?.value).toBe('héllo 漢')
})

describe('refuses', () => {
  test('an unknown type', () => {
    expect(() => new DeviceMessageParser().push(fromHex('03'))).toThrow(/unknown device message type 3/)
  })

  test('a clipboard over 256 KiB, read or written', () => {
    expect(() => new DeviceMessageParser().push(fromHex('00 0003fffc'))).toThrow(/262145 bytes is over the limit/)
    expect(() => encodeDeviceMessage({ type: 'clipboard', text: 'a'.repeat(262_140) })).toThrow(WireError)
  })

  test('to write more UHID output than its length holds', () => {
    expect(() => encodeDeviceMessage({ type: 'uhid-output', id: 1, data: new Uint8Array(65_536) })).toThrow(WireError)
  })
})
