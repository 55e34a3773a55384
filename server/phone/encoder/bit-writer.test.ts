import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitWriter } from './bit-writer'

/** The bits of an RBSP without its trailing bits. */
function payloadBits(rbsp: Uint8Array): string {
  const bits = Array.from(rbsp, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.slice(0, bits.lastIndexOf('1'))
}

function bitsOf(write: (writer: BitWriter) => void): string {
  const writer = new BitWriter(64)
  write(writer)
  return payloadBits(writer.finish())
}

const fixedField = fc
  .integer({ min: 1, max: 32 })
  .chain((length) => fc.record({ length: fc.constant(length), value: fc.integer({ min: 0, max: 2 ** length - 1 }) }))

describe('BitWriter', () => {
  it.each([
    [0, '1'],
    [1, '010'],
    [2, '011'],
    [3, '00100'],
    [6, '00111'],
    [7, '0001000'],
    [2549, '00000000000100111110110'],
  ])('writes ue(%i) as %s', (value, bits) => {
    expect(bitsOf((writer) => writer.writeUnsigned(value))).toBe(bits)
  })

  it.each([
    [0, '1'],
    [1, '010'],
    [-1, '011'],
    [2, '00100'],
    [-2, '00101'],
    [-14, '000011101'],
  ])('writes se(%i) as %s', (value, bits) => {
    expect(bitsOf((writer) => writer.writeSigned(value))).toBe(bits)
  })

  it('writes any fields back to back, growing as needed', () => {
    fc.assert(
      fc.property(fc.array(fixedField, { maxLength: 60 }), (fields) => {
        const writer = new BitWriter(8)
        for (const { value, length } of fields) {
          writer.reserve(4)
          writer.write(value, length)
        }
        const expected = fields.map(({ value, length }) => value.toString(2).padStart(length, '0')).join('')
        expect(writer.bitLength).toBe(expected.length)
        expect(payloadBits(writer.finish())).toBe(expected)
      }),
    )
  })

  it('rewinds to any earlier bit', () => {
    fc.assert(
      fc.property(
        fc.array(fixedField, { maxLength: 12 }),
        fc.array(fixedField, { maxLength: 12 }),
        fc.array(fixedField, { maxLength: 12 }),
        (kept, dropped, added) => {
          const direct = new BitWriter(256)
          const rewound = new BitWriter(256)
          for (const { value, length } of kept) rewound.write(value, length)
          const mark = rewound.bitLength
          for (const { value, length } of dropped) rewound.write(value, length)
          rewound.rewind(mark)
          for (const { value, length } of added) rewound.write(value, length)
          for (const { value, length } of [...kept, ...added]) direct.write(value, length)
          expect(rewound.finish()).toEqual(direct.finish())
        },
      ),
    )
  })

  it('aligns to the next byte and leaves an aligned position alone', () => {
    for (let length = 1; length <= 32; length++) {
      const writer = new BitWriter(64)
      writer.write(1, length)
      writer.align()
      expect(writer.bitLength).toBe(Math.ceil(length / 8) * 8)
      writer.align()
      expect(writer.bitLength).toBe(Math.ceil(length / 8) * 8)
    }
  })

  it('starts over after reset', () => {
    const writer = new BitWriter(64)
    writer.write(0xffff, 16)
    writer.reset()
    writer.write(5, 3)
    expect(payloadBits(writer.finish())).toBe('101')
  })
})
