import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDevicePixel, toFraction, toPixels } from './coordinates'

const size = fc.record({ width: fc.integer({ min: 1, max: 8_000 }), height: fc.integer({ min: 1, max: 8_000 }) })

test('pixels of one screen become pixels of another', () => {
  const point = { x: 270, y: 600, space: { kind: 'pixels', width: 540, height: 1200 } } as const
  expect(toPixels(point, { width: 1080, height: 2400 })).toEqual({
    x: 540,
    y: 1200,
    space: { kind: 'pixels', width: 1080, height: 2400 },
  })
  expect(toFraction(point)).toEqual({ x: 0.5, y: 0.5, space: { kind: 'fraction' } })
})

test('a fraction and its pixels are the same place', () => {
  fc.assert(
    fc.property(
      size,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (screen, x, y) => {
        const back = toFraction(toPixels({ x, y, space: { kind: 'fraction' } }, screen))
        expect(back.x).toBeCloseTo(x, 9)
        expect(back.y).toBeCloseTo(y, 9)
      },
    ),
  )
})

test('a device pixel is whole and on the screen, also at and beyond the edge', () => {
  fc.assert(
    fc.property(size, fc.double({ min: -1, max: 2, noNaN: true }), (screen, x) => {
      const pixel = toDevicePixel({ x, y: 1, space: { kind: 'fraction' } }, screen)
      expect(Number.isInteger(pixel.x)).toBe(true)
      expect(pixel.x).toBeGreaterThanOrEqual(0)
      expect(pixel.x).toBeLessThan(screen.width)
      expect(pixel.y).toBe(screen.height - 1)
    }),
  )
})

test('refuses a screen without a size', () => {
  expect(() => toPixels({ x: 0, y: 0, space: { kind: 'fraction' } }, { width: 0, height: 5 })).toThrow(RangeError)
})
