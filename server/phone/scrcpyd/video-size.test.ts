import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaleRect, shrinkRgba, videoSizeOf } from './video-size'

const screen = { width: 540, height: 1_200 }

test.each([
  [0, screen],
  [1_280, screen],
  [1_200, screen],
  [600, { width: 264, height: 600 }],
  [1, { width: 16, height: 16 }],
])('max_size %d gives %j', (maxSize, expected) => {
  expect(videoSizeOf(screen, maxSize)).toEqual(expected)
})

test('a shrunk pixel is the mean of those it covers', () => {
  const [from, to] = [
    { width: 4, height: 2 },
    { width: 2, height: 1 },
  ]
  const pixels = new Uint8ClampedArray([0, 40, 10, 10, 20, 60, 10, 10].flatMap((value) => [value, value, value, 255]))
  const shrunk = shrinkRgba(pixels, { x: 0, y: 0, ...from }, { x: 0, y: 0, ...to }, from, to)
  expect([...shrunk]).toEqual([30, 30, 30, 255, 10, 10, 10, 255])
})

test('any part of a shrunk picture equals that part of the whole', () => {
  const to = { width: 24, height: 40 }
  const from = { width: 54, height: 90 }
  const pixels = new Uint8ClampedArray(from.width * from.height * 4).map((_, index) => (index * 7_919) % 256)
  const whole = shrinkRgba(pixels, { x: 0, y: 0, ...from }, { x: 0, y: 0, ...to }, from, to)
  const rects = fc
    .tuple(fc.nat(23), fc.nat(39), fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 40 }))
    .map(([x, y, width, height]) => ({ x, y, width: Math.min(width, 24 - x), height: Math.min(height, 40 - y) }))
  fc.assert(
    fc.property(rects, (target) => {
      const source = scaleRect(target, to, from)
      const cut = new Uint8ClampedArray(source.width * source.height * 4)
      for (let row = 0; row < source.height; row++) {
        const start = ((source.y + row) * from.width + source.x) * 4
        cut.set(pixels.subarray(start, start + source.width * 4), row * source.width * 4)
      }
      const part = shrinkRgba(cut, source, target, from, to)
      for (let row = 0; row < target.height; row++) {
        const start = ((target.y + row) * to.width + target.x) * 4
        const expected = whole.subarray(start, start + target.width * 4)
        const actual = part.subarray(row * target.width * 4, (row + 1) * target.width * 4)
        for (const [index, value] of expected.entries()) if (index % 4 !== 3) expect(actual[index]).toBe(value)
      }
    }),
  )
})
