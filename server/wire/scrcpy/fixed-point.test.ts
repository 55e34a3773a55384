import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeScroll, decodeUnitInterval, encodeScroll, encodeUnitInterval } from '@/server/wire/scrcpy/fixed-point'
import { WireError } from '@/server/wire/wire-error'

test('every u16 and i16 comes back', () => {
  for (let fixed = 0; fixed <= 0xffff; fixed += 1) {
    if (encodeUnitInterval(decodeUnitInterval(fixed), 'a') !== fixed) throw new Error(`u16 ${fixed}`)
    if (encodeScroll(decodeScroll(fixed - 0x8000), 'a') !== fixed - 0x8000) throw new Error(`i16 ${fixed - 0x8000}`)
  }
})

test('ends and the values beyond them', () => {
  expect([1, 7, 0, -1].map((value) => encodeUnitInterval(value, 'a'))).toEqual([0xffff, 0xffff, 0, 0])
  expect([16, 99, -16, -99, 1].map((value) => encodeScroll(value, 'a'))).toEqual([
    0x7fff, 0x7fff, -0x8000, -0x8000, 2_048,
  ])
  expect([decodeUnitInterval(0xffff), decodeScroll(0x7fff), decodeScroll(-0x8000)]).toEqual([1, 16, -16])
})

test('a value is at most one step off', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
      expect(Math.abs(decodeUnitInterval(encodeUnitInterval(value, 'a')) - value)).toBeLessThan(2 ** -15)
    }),
  )
})

test('refuses what is not a number, naming the field', () => {
  expect(() => encodeUnitInterval(Number.NaN, 'pressure')).toThrow(/^pressure/)
  expect(() => encodeScroll(Number.NaN, 'vertical scroll')).toThrow(WireError)
})
