import { describe, expect, it } from 'vitest'
import { BitWriter } from './bit-writer'
import {
  chromaDcCoeffTokenClass,
  chromaDcTotalZerosBits,
  chromaDcTotalZerosLengths,
  coeffTokenBits,
  coeffTokenClassSize,
  coeffTokenLengths,
  runBeforeBits,
  runBeforeLengths,
  totalZerosBits,
  totalZerosLengths,
} from './cavlc-tables'
import { coeffTokenClass, writeResidualBlock } from './residual-block'

function bitsOf(levels: number[], count: number, tokenClass: number): string {
  const padded = new Int16Array(16)
  padded.set(levels)
  const writer = new BitWriter(256)
  writeResidualBlock(writer, padded, 0, count, tokenClass)
  const bits = Array.from(writer.finish(), (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.slice(0, bits.lastIndexOf('1'))
}

describe('writeResidualBlock', () => {
  // Worked examples of I. Richardson, "H.264 and MPEG-4 Video Compression" (2003), 6.4.12.2.
  it.each([
    { levels: [0, 3, 0, 1, -1, -1, 0, 1], bits: '000010001110010111101101' },
    { levels: [-2, 4, 3, -3, 0, 0, -1], bits: '000000011010001001000010111001100' },
    { levels: [0, 0, 0, 1, 0, 1, 0, 0, 0, -1], bits: '0001110001110010' },
  ])('codes $levels in context 0 as in the book', ({ levels, bits }) => {
    expect(bitsOf(levels, 16, coeffTokenClass(0))).toBe(bits)
  })

  it.each([
    [0, '1'],
    [1, '1'],
    [2, '11'],
    [4, '1111'],
    [8, '000011'],
  ])('codes an empty block in context %i as %s', (context, bits) => {
    expect(bitsOf([], 15, coeffTokenClass(context))).toBe(bits)
  })

  it('codes chroma DC with its own tables', () => {
    expect(bitsOf([], 4, chromaDcCoeffTokenClass)).toBe('01')
    // Token 1 one: 1; sign 0; total_zeros 3: 000.
    expect(bitsOf([0, 0, 0, 1], 4, chromaDcCoeffTokenClass)).toBe('10000')
    // A full block has no total_zeros: token 4, 3 ones: 0000000; signs 0 1 0; level 2 is prefix 2: 001.
    expect(bitsOf([2, 1, -1, 1], 4, chromaDcCoeffTokenClass)).toBe('0000000010001')
  })

  // One level that is no trailing one: token 000101, the level, total_zeros 0: 1. Its code is 2 lower by inference.
  it.each([
    [2, '1'],
    [-2, '01'],
    [8, '0000000000001'],
    [-8, '00000000000001'],
    [9, '000000000000001' + '0000'],
    [-16, '000000000000001' + '1111'],
    [17, '0000000000000001' + '000000000000'],
    [-17, '0000000000000001' + '000000000001'],
    [2063, '0000000000000001' + '111111111100'],
  ])('escapes level %i at suffix length 0', (level, bits) => {
    expect(bitsOf([level], 16, coeffTokenClass(0))).toBe('000101' + bits + '1')
  })

  // Two levels: token 00000111, level 40 escapes and lifts suffixLength to 2, then the second, total_zeros 0: 111.
  it.each([
    [1, '100'],
    [-30, '000000000000001' + '11'],
    [31, '0000000000000001' + '000000000000'],
    [-31, '0000000000000001' + '000000000001'],
  ])('escapes level %i at suffix length 2', (level, bits) => {
    const first = '0000000000000001' + (2 * 40 - 2 - 2 - 30).toString(2).padStart(12, '0')
    expect(bitsOf([level, 40], 16, coeffTokenClass(0))).toBe('00000111' + first + bits + '111')
  })
})

describe('CAVLC tables', () => {
  const tables: [string, Uint8Array, Uint8Array, number][] = [
    ['coeff_token', coeffTokenLengths, coeffTokenBits, coeffTokenClassSize],
    ['total_zeros', totalZerosLengths, totalZerosBits, 16],
    ['chroma DC total_zeros', chromaDcTotalZerosLengths, chromaDcTotalZerosBits, 16],
    ['run_before', runBeforeLengths, runBeforeBits, 15],
  ]

  it.each(tables)('%s codes are prefix-free in every row', (_name, lengths, bits, rowLength) => {
    expect(lengths.length).toBe(bits.length)
    for (let start = 0; start < lengths.length; start += rowLength) {
      const codes: string[] = []
      for (let entry = start; entry < Math.min(start + rowLength, lengths.length); entry++) {
        const length = lengths[entry]!
        if (length > 0) codes.push(bits[entry]!.toString(2).padStart(length, '0'))
      }
      for (const code of codes) {
        expect(codes.filter((other) => other.startsWith(code))).toEqual([code])
      }
    }
  })
})
