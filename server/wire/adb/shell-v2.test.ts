import { AdbShellProtocolPacket } from '@yume-chan/adb'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeShellPacket, shellPacketIds, ShellPacketParser } from '@/server/wire/adb/shell-v2'
import { chunkSizes, concatenate, fromHex, pushInChunks } from '@/server/wire/testing/push-in-chunks'

test('golden bytes of an exit code', () => {
  expect(encodeShellPacket(shellPacketIds.exit, Uint8Array.of(7))).toEqual(fromHex('03 01000000 07'))
})

const packets = fc.record(
  { id: fc.constantFrom(0, 1, 2, 3, 4, 5), data: fc.uint8Array({ maxLength: 100 }) },
  { noNullPrototype: true },
)

test('equals Tango byte for byte', () => {
  fc.assert(
    fc.property(packets, (packet) => {
      const theirs = AdbShellProtocolPacket.serialize(packet as Parameters<typeof AdbShellProtocolPacket.serialize>[0])
      expect(encodeShellPacket(packet.id, packet.data)).toEqual(theirs)
    }),
  )
})

test('reads what it wrote, in any pieces', () => {
  fc.assert(
    fc.property(fc.array(packets), chunkSizes, (sent, sizes) => {
      const bytes = concatenate(sent.map(({ id, data }) => encodeShellPacket(id, data)))
      expect(pushInChunks(new ShellPacketParser(), bytes, sizes)).toEqual(sent)
    }),
  )
})

test('refuses a packet over 1 MiB from its header, and to write one', () => {
  expect(() => new ShellPacketParser().push(fromHex('01 01001000'))).toThrow(/1048577 bytes is over the limit/)
  expect(() => encodeShellPacket(1, new Uint8Array(1_048_577))).toThrow(/over the limit/)
})
