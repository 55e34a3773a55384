import { AdbPacket as TangoPacket, calculateChecksum } from '@yume-chan/adb'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adbCommands, AdbPacketParser, encodeAdbPacket, type AdbPacket } from '@/server/wire/adb/packet'
import { chunkSizes, concatenate, fromHex, pushInChunks } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

const unsigned32 = fc.integer({ min: 0, max: 0xffff_ffff })
const packets: fc.Arbitrary<AdbPacket> = fc.record(
  {
    command: fc.constantFrom(...Object.values(adbCommands)),
    arg0: unsigned32,
    arg1: unsigned32,
    payload: fc.uint8Array({ maxLength: 100 }),
  },
  { noNullPrototype: true },
)

describe('golden bytes', () => {
  test('of CNXN, with the checksum a peer of unknown version may check', () => {
    const payload = new TextEncoder().encode('host::')
    const packet = { command: adbCommands.CNXN, arg0: 0x01000001, arg1: 0x100000, payload }
    const header = fromHex('434e584e 01000001 00001000 06000000 32020000 bcb1a7b1')
    expect(encodeAdbPacket(packet)).toEqual(concatenate([header, payload]))
  })

  test('of OKAY', () => {
    const packet = { command: adbCommands.OKAY, arg0: 1, arg1: 2, payload: new Uint8Array(0) }
    expect(encodeAdbPacket(packet)).toEqual(fromHex('4f4b4159 01000000 02000000 00000000 00000000 b0b4bea6'))
  })
})

test('equals Tango byte for byte', () => {
  fc.assert(
    fc.property(packets, (packet) => {
      const isChecked = packet.command === adbCommands.CNXN || packet.command === adbCommands.AUTH
      const theirs = TangoPacket.serialize({
        ...packet,
        checksum: isChecked ? calculateChecksum(packet.payload) : 0,
        magic: packet.command ^ 0xffff_ffff,
      })
      expect(encodeAdbPacket(packet)).toEqual(theirs)
    }),
  )
})

test('reads what it wrote, in any pieces', () => {
  fc.assert(
    fc.property(fc.array(packets), chunkSizes, (sent, sizes) => {
      const parser = new AdbPacketParser()
      expect(pushInChunks(parser, concatenate(sent.map(encodeAdbPacket)), sizes)).toEqual(sent)
      expect(parser.pendingBytes).toBe(0)
    }),
  )
})

describe('refuses', () => {
  const valid = encodeAdbPacket({ command: adbCommands.WRTE, arg0: 1, arg1: 2, payload: Uint8Array.of(1, 2, 3) })

  test('a bad magic', () => {
    const bytes = valid.slice()
    bytes[20] = (bytes[20] ?? 0) ^ 1
    expect(() => new AdbPacketParser().push(bytes)).toThrow(/bad magic/)
  })

  test('a payload over the limit, from the header alone', () => {
    const parser = new AdbPacketParser({ maxPayloadBytes: 2 })
    expect(() => parser.push(valid.subarray(0, 24))).toThrow(WireError)
    expect(new AdbPacketParser({ maxPayloadBytes: 3 }).push(valid)).toHaveLength(1)
  })

  test('a payload over 1 MiB unless told otherwise', () => {
    const header = encodeAdbPacket({ command: adbCommands.WRTE, arg0: 1, arg1: 2, payload: new Uint8Array(1_048_577) })
    expect(() => new AdbPacketParser().push(header.subarray(0, 24))).toThrow(/1048577 bytes is over the limit/)
  })

  test('an argument that is not an unsigned 32-bit integer', () => {
    expect(() => encodeAdbPacket({ command: adbCommands.OKAY, arg0: -1, arg1: 0, payload: new Uint8Array(0) })).toThrow(
      /adb arg0 -1/,
    )
  })
})

test('a cut packet gives nothing and is reported as pending', () => {
  const parser = new AdbPacketParser()
  const bytes = encodeAdbPacket({ command: adbCommands.WRTE, arg0: 1, arg1: 2, payload: Uint8Array.of(1, 2, 3) })
  expect(parser.push(bytes.subarray(0, -1))).toEqual([])
  expect(parser.pendingBytes).toBe(26)
})
