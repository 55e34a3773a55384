import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intersect } from '@/server/phone/ui/rect'
import { mergeRects } from './merge-rects'

test('keeps rectangles apart that are apart', () => {
  const rects = [
    { x: 0, y: 0, width: 10, height: 10 },
    { x: 100, y: 500, width: 10, height: 10 },
  ]
  expect(mergeRects(rects)).toEqual(rects)
})

test('joins rectangles that overlap or complete each other', () => {
  expect(
    mergeRects([
      { x: 0, y: 0, width: 10, height: 10 },
      { x: 5, y: 5, width: 10, height: 10 },
      { x: 15, y: 0, width: 4, height: 15 },
    ]),
  ).toEqual([{ x: 0, y: 0, width: 19, height: 15 }])
})

test('covers everything with at most six rectangles that do not overlap', () => {
  const rect = fc.record({
    x: fc.nat(500),
    y: fc.nat(500),
    width: fc.integer({ min: 1, max: 99 }),
    height: fc.integer({ min: 1, max: 99 }),
  })
  fc.assert(
    fc.property(fc.array(rect, { maxLength: 40 }), (rects) => {
      const merged = mergeRects(rects)
      expect(merged.length).toBeLessThanOrEqual(6)
      for (const each of rects) expect(merged.some((one) => sameAs(intersect(one, each), each))).toBe(true)
      for (const [index, one] of merged.entries()) {
        for (const other of merged.slice(index + 1)) expect(intersect(one, other)).toBeNull()
      }
    }),
  )
})

function sameAs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
