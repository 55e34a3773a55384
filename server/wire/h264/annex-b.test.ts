import { annexBSplitNalu } from '@yume-chan/scrcpy'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addEmulationPrevention,
  joinNalUnits,
  nalType,
  removeEmulationPrevention,
  splitNalUnits,
} from '@/server/wire/h264/annex-b'
import { fromHex } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

test('splits at start codes of three and four bytes, dropping padding', () => {
  const bytes = fromHex('00 00000001 6742c01f 000001 68ce3c80 0000 00000001 6588 0000')
  expect(splitNalUnits(bytes)).toEqual([fromHex('6742c01f'), fromHex('68ce3c80'), fromHex('6588')])
  expect(splitNalUnits(new Uint8Array(0))).toEqual([])
  expect(splitNalUnits(fromHex('00000001'))).toEqual([])
})

test.each(['6742c01f', '01000001', '0001', '67 00000001 68'])(
  'refuses bytes that begin without a start code: %s',
  (hex) => {
    expect(() => splitNalUnits(fromHex(hex))).toThrow(WireError)
  },
)

/** Bytes with many zeros and small values, where start codes and emulation hide. */
const tricky = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2, 3, 4, 0x67, 0xff)), {
  maxLength: 40,
})
/** Well-formed units: a header byte, escaped content and the stop bit at the end. */
const units = fc.array(
  tricky.map((content) => addEmulationPrevention(Uint8Array.from([0x65, ...content, 0x80]))),
  { maxLength: 6 },
)

test('splits what it joined, as Tango does', () => {
  fc.assert(
    fc.property(units, (sent) => {
      const bytes = joinNalUnits(sent)
      expect(splitNalUnits(bytes)).toEqual(sent)
      if (sent.length > 0) expect([...annexBSplitNalu(bytes)]).toEqual(sent)
    }),
  )
})

test('emulation prevention hides every start code and comes off again', () => {
  fc.assert(
    fc.property(tricky, (content) => {
      const bytes = Uint8Array.from(content)
      const unit = addEmulationPrevention(bytes)
      for (let index = 2; index < unit.length; index += 1) {
        const isCode = unit[index - 2] === 0 && unit[index - 1] === 0 && (unit[index] ?? 0) < 3
        expect(isCode).toBe(false)
      }
      expect(removeEmulationPrevention(unit)).toEqual(bytes)
    }),
  )
})

test('golden emulation prevention', () => {
  expect(addEmulationPrevention(fromHex('000000ff 000001ff 000003ff 0004ff 000004'))).toEqual(
    fromHex('00000300ff 00000301ff 00000303ff 0004ff 000004'),
  )
  expect(addEmulationPrevention(fromHex('800000'))).toEqual(fromHex('80000003'))
})

test('reads the unit type', () => {
  expect([0x67, 0x68, 0x65, 0x41].map((header) => nalType(Uint8Array.of(header)))).toEqual([7, 8, 5, 1])
  expect(() => nalType(new Uint8Array(0))).toThrow(WireError)
})
