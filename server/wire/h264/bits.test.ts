import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BitReader, BitWriter } from '@/server/wire/h264/bits'
import { fromHex } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

test('golden Exp-Golomb codes of ITU-T H.264 table 9-2', () => {
  // 1 010 011 00100 00101 00110 00111 0001000: 0 to 7, then the stop bit
  const writer = new BitWriter()
  for (let value = 0; value <= 7; value += 1) writer.ue(value)
  writer.trailingBits()
  expect(writer.finish()).toEqual(fromHex('a64298e220'))
})

const signed = fc.integer({ min: -(2 ** 31 - 1), max: 2 ** 31 - 1 })
const fields = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('ue' as const), value: fc.integer({ min: 0, max: 2 ** 32 - 2 }) }),
    fc.record({ kind: fc.constant('se' as const), value: signed }),
    fc.record({ kind: fc.constant('bits' as const), value: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }),
    fc.record({ kind: fc.constant('flag' as const), value: fc.constantFrom(0, 1) }),
  ),
)

test('reads what it wrote', () => {
  fc.assert(
    fc.property(fields, (sent) => {
      const writer = new BitWriter()
      for (const { kind, value } of sent) {
        if (kind === 'ue') writer.ue(value)
        else if (kind === 'se') writer.se(value)
        else if (kind === 'bits') writer.bits(value, 32)
        else writer.flag(value === 1)
      }
      const written = writer.position
      writer.trailingBits()
      const reader = new BitReader(writer.finish())
      const read = sent.map(({ kind }) => {
        if (kind === 'ue') return reader.ue()
        if (kind === 'se') return reader.se()
        return kind === 'bits' ? reader.bits(32) : Number(reader.flag())
      })
      expect(read).toEqual(sent.map(({ value }) => value))
      expect(reader.position).toBe(written)
    }),
  )
})

test('refuses to read past the end, or an endless code', () => {
  const reader = new BitReader(Uint8Array.of(0xff))
  expect(reader.bits(8)).toBe(255)
  expect(() => reader.bit()).toThrow(WireError)
  expect(() => new BitReader(new Uint8Array(100)).ue()).toThrow(/longer than 63 bits/)
})

test.each([
  ['ue', (writer: BitWriter) => writer.ue(-1)],
  ['ue', (writer: BitWriter) => writer.ue(2 ** 32 - 1)],
  ['se', (writer: BitWriter) => writer.se(2 ** 31)],
  ['bits', (writer: BitWriter) => writer.bits(8, 3)],
])('refuses to write a value that has no %s code', (_, write) => {
  expect(() => write(new BitWriter())).toThrow(WireError)
})
