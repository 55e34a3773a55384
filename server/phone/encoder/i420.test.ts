import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alignRect, createI420Frame, writeRgbaIntoI420 } from './i420'
import type { Rect } from './i420'

/** Quarter pixels from `min` to `max`. */
function quarterPixels(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: min * 4, max: max * 4 }).map((value) => value / 4)
}

const anyRect = fc.record({
  x: quarterPixels(-100, 200),
  y: quarterPixels(-100, 200),
  width: quarterPixels(0, 200),
  height: quarterPixels(0, 200),
})

function solid(red: number, green: number, blue: number, pixels: number): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: pixels * 4 }, (_, index) => [red, green, blue, 255][index % 4]!)
}

function crop(rgba: Uint8ClampedArray, width: number, rect: Rect): Uint8ClampedArray {
  const part = new Uint8ClampedArray(rect.width * rect.height * 4)
  for (let row = 0; row < rect.height; row++) {
    const start = ((rect.y + row) * width + rect.x) * 4
    part.set(rgba.subarray(start, start + rect.width * 4), row * rect.width * 4)
  }
  return part
}

describe('createI420Frame', () => {
  it('pads to macroblocks', () => {
    const frame = createI420Frame(540, 1200)
    expect(frame).toMatchObject({ codedWidth: 544, codedHeight: 1200 })
    expect([frame.y.length, frame.u.length, frame.v.length]).toEqual([652_800, 163_200, 163_200])
  })

  it.each([
    [541, 1200, /even positive width, got 541/],
    [540, 0, /even positive height, got 0/],
    [Number.NaN, 10, /width/],
  ])('refuses %d x %d', (width, height, message) => {
    expect(() => createI420Frame(width, height)).toThrow(message)
  })
})

describe('alignRect', () => {
  it('covers the visible part of any rectangle with even edges inside the picture', () => {
    fc.assert(
      fc.property(anyRect, (rect) => {
        const aligned = alignRect(rect, 100, 60)
        for (const value of Object.values(aligned)) expect(value % 2).toBe(0)
        expect(aligned.x).toBeGreaterThanOrEqual(0)
        expect(aligned.y).toBeGreaterThanOrEqual(0)
        expect(aligned.x + aligned.width).toBeLessThanOrEqual(100)
        expect(aligned.y + aligned.height).toBeLessThanOrEqual(60)
        const isVisible = rect.x < 100 && rect.y < 60 && rect.x + rect.width > 0 && rect.y + rect.height > 0
        if (isVisible && rect.width > 0 && rect.height > 0) {
          expect(aligned.x).toBeLessThanOrEqual(Math.max(0, rect.x))
          expect(aligned.y).toBeLessThanOrEqual(Math.max(0, rect.y))
          expect(aligned.x + aligned.width).toBeGreaterThanOrEqual(Math.min(100, rect.x + rect.width))
          expect(aligned.y + aligned.height).toBeGreaterThanOrEqual(Math.min(60, rect.y + rect.height))
        }
        expect(alignRect(aligned, 100, 60)).toEqual(aligned)
      }),
    )
  })

  it('rounds outwards', () => {
    expect(alignRect({ x: 3, y: 5.5, width: 4, height: 2 }, 540, 1200)).toEqual({ x: 2, y: 4, width: 6, height: 4 })
    expect(alignRect({ x: 538, y: 1199, width: 50, height: 50 }, 540, 1200)).toEqual({
      x: 538,
      y: 1198,
      width: 2,
      height: 2,
    })
  })
})

describe('writeRgbaIntoI420', () => {
  // ITU-R BT.601, 8 bits, limited range.
  it.each([
    ['black', 0, 0, 0, 16, 128, 128],
    ['white', 255, 255, 255, 235, 128, 128],
    ['red', 255, 0, 0, 81, 90, 240],
    ['green', 0, 255, 0, 145, 54, 34],
    ['blue', 0, 0, 255, 41, 240, 110],
  ])('converts %s, padding included', (_name, red, green, blue, y, u, v) => {
    const frame = createI420Frame(18, 18)
    writeRgbaIntoI420(frame, solid(red, green, blue, 18 * 18), { x: 0, y: 0, width: 18, height: 18 })
    expect([new Set(frame.y), new Set(frame.u), new Set(frame.v)]).toEqual([new Set([y]), new Set([u]), new Set([v])])
  })

  it('keeps every grey without colour', () => {
    for (let grey = 0; grey <= 255; grey++) {
      const frame = createI420Frame(2, 2)
      writeRgbaIntoI420(frame, solid(grey, grey, grey, 4), { x: 0, y: 0, width: 2, height: 2 })
      expect([frame.u[0], frame.v[0]]).toEqual([128, 128])
    }
  })

  it('gives the same frame by any partial updates as by one whole conversion', () => {
    const width = 50
    const height = 38
    const pixelCount = width * height * 4
    const whole = { x: 0, y: 0, width, height }
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: pixelCount, maxLength: pixelCount }),
        fc.array(anyRect, { maxLength: 6 }),
        (bytes, rects) => {
          const before = Uint8ClampedArray.from(bytes)
          const after = before.map((value, index) => (index % 4 === 3 ? 255 : 255 - value))
          const current = before.slice()
          const frame = createI420Frame(width, height)
          writeRgbaIntoI420(frame, before, whole)
          for (const rect of rects) {
            const aligned = alignRect(rect, width, height)
            const part = crop(after, width, aligned)
            writeRgbaIntoI420(frame, part, aligned)
            for (let row = 0; row < aligned.height; row++) {
              const start = row * aligned.width * 4
              current.set(part.subarray(start, start + aligned.width * 4), ((aligned.y + row) * width + aligned.x) * 4)
            }
          }
          const expected = createI420Frame(width, height)
          writeRgbaIntoI420(expected, current, whole)
          expect(frame).toEqual(expected)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('reads views at any byte offset', () => {
    const bytes = new Uint8Array(1 + 16)
    bytes.set(solid(255, 0, 0, 4), 1)
    const frame = createI420Frame(2, 2)
    writeRgbaIntoI420(frame, bytes.subarray(1), { x: 0, y: 0, width: 2, height: 2 })
    expect([frame.y[0], frame.u[0], frame.v[0]]).toEqual([81, 90, 240])
  })

  it('refuses an unaligned rectangle and a wrong number of bytes', () => {
    const frame = createI420Frame(20, 20)
    const odd = { x: 1, y: 0, width: 2, height: 2 }
    expect(() => writeRgbaIntoI420(frame, new Uint8Array(16), odd)).toThrow(/2x2\+1\+0 is not aligned/)
    const even = { x: 0, y: 0, width: 2, height: 2 }
    expect(() => writeRgbaIntoI420(frame, new Uint8Array(12), even)).toThrow(/are 16, got 12/)
  })
})
