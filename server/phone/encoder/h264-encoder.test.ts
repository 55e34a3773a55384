import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createH264Encoder, warmUp } from './h264-encoder'
import { createI420Frame } from './i420'
import type { I420Frame, Rect } from './i420'
import { lumaPsnr } from './testing/picture-comparison'
import { fillWithNoise } from './testing/test-screens'

const width = 100
const height = 72

function wholeOf(frame: I420Frame): Rect {
  return { x: 0, y: 0, width: frame.codedWidth, height: frame.codedHeight }
}

function planesOf(frame: I420Frame): Uint8Array[] {
  return [frame.y, frame.u, frame.v].map((plane) => plane.slice())
}

function nalType(data: Uint8Array): number {
  expect([...data.subarray(0, 4)]).toEqual([0, 0, 0, 1])
  return data[4]! & 31
}

function bitsAfterHeader(data: Uint8Array): string {
  return Array.from(data.subarray(5), (byte) => byte.toString(2).padStart(8, '0')).join('')
}

/** Quarter pixels from `min` to `max`. */
function quarterPixels(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: min * 4, max: max * 4 }).map((value) => value / 4)
}

const damageRect = fc.record({
  x: quarterPixels(-50, 150),
  y: quarterPixels(-50, 120),
  width: quarterPixels(-5, 150),
  height: quarterPixels(-5, 120),
})

describe('createH264Encoder', () => {
  it('starts with an IDR picture and gives one whenever asked', () => {
    const encoder = createH264Encoder({ width, height })
    const frame = createI420Frame(width, height)
    expect(nalType(encoder.configuration)).toBe(7)
    const kinds = [false, false, true, true, false].map((isKey) => {
      const encoded = encoder.encode(frame, { isKey })
      return [encoded.isKey, nalType(encoded.data)]
    })
    expect(kinds).toEqual([
      [true, 5],
      [false, 1],
      [true, 5],
      [true, 5],
      [false, 1],
    ])
  })

  it('codes an unchanged 540x1200 picture as one run of 2550 skipped macroblocks', () => {
    const encoder = createH264Encoder({ width: 540, height: 1200 })
    const frame = createI420Frame(540, 1200)
    encoder.encode(frame, { isKey: true })
    const { data } = encoder.encode(frame, { isKey: false })
    const header = '1' + '00110' + '1' + '00000001' + '0' + '0' + '0' + '1' + '010'
    const skipRun = '00000000000' + (2551).toString(2)
    expect(bitsAfterHeader(data)).toBe((header + skipRun + '1').padEnd(48, '0'))
    expect(data.length).toBe(11)
  })

  it('counts frame_num from each IDR picture, modulo 256', () => {
    const encoder = createH264Encoder({ width: 16, height: 16 })
    const frame = createI420Frame(16, 16)
    for (let picture = 0; picture < 600; picture++) {
      const { data } = encoder.encode(frame, { isKey: picture === 300 })
      // first_mb_in_slice 0, slice_type 5 or 7, pic_parameter_set_id 0, then 8 bits of frame_num.
      const isKey = picture === 0 || picture === 300
      const bits = bitsAfterHeader(data)
      const prefix = isKey ? '1' + '0001000' + '1' : '1' + '00110' + '1'
      expect(bits.startsWith(prefix)).toBe(true)
      expect(parseInt(bits.slice(prefix.length, prefix.length + 8), 2)).toBe((picture % 300) % 256)
    }
  })

  it('gives two IDR pictures in a row different ids', () => {
    const encoder = createH264Encoder({ width, height })
    const frame = createI420Frame(width, height)
    const first = encoder.encode(frame, { isKey: true })
    const second = encoder.encode(frame, { isKey: true })
    const third = encoder.encode(frame, { isKey: true })
    expect(second.data).not.toEqual(first.data)
    expect(third.data).toEqual(first.data)
  })

  it('takes any damage: what lies outside keeps its samples, what lies inside is the new source', () => {
    fc.assert(
      fc.property(fc.array(damageRect, { maxLength: 4 }), fc.integer({ min: 0, max: 1000 }), (damage, seed) => {
        const encoder = createH264Encoder({ width, height })
        const frame = createI420Frame(width, height)
        encoder.encode(frame, { isKey: true })
        const before = planesOf(encoder.reconstruction())[0]!
        fillWithNoise(frame, wholeOf(frame), { seed, amplitude: 90 })
        const { data, isKey } = encoder.encode(frame, { isKey: false, damage })
        expect(isKey).toBe(false)
        expect(nalType(data)).toBe(1)
        expect(data.at(-1)).not.toBe(0)
        const after = encoder.reconstruction().y
        for (let row = 0; row < frame.codedHeight / 16; row++) {
          for (let column = 0; column < frame.codedWidth / 16; column++) {
            const isDamaged = damage.some(
              (rect) =>
                rect.width > 0 &&
                rect.height > 0 &&
                rect.x < column * 16 + 16 &&
                rect.y < row * 16 + 16 &&
                rect.x + rect.width > column * 16 &&
                rect.y + rect.height > row * 16,
            )
            const at = (row * 16 + 7) * frame.codedWidth + column * 16
            const isKept = before.subarray(at, at + 16).every((sample, index) => sample === after[at + index])
            expect(isKept).toBe(!isDamaged)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('finds changes by itself without damage, down to one sample of chroma', () => {
    const encoder = createH264Encoder({ width, height })
    const frame = createI420Frame(width, height)
    encoder.encode(frame, { isKey: true })
    const unchanged = encoder.encode(frame, { isKey: false }).data.length
    for (const plane of [frame.y, frame.u, frame.v]) {
      plane[plane.length - 1] = 250
      expect(encoder.encode(frame, { isKey: false }).data.length).toBeGreaterThan(unchanged)
      expect(encoder.encode(frame, { isKey: false }).data.length).toBe(unchanged)
    }
  })

  it('sends raw samples where coefficients would exceed the limit of 3200 bits a macroblock', () => {
    const encoder = createH264Encoder({ width: 64, height: 64, qp: 12 })
    const frame = createI420Frame(64, 64)
    fillWithNoise(frame, wholeOf(frame), { seed: 5, amplitude: 128 })
    encoder.encode(frame, { isKey: true })
    expect(planesOf(encoder.reconstruction())).toEqual(planesOf(frame))
  })

  it('gets closer to the source with a lower QP', () => {
    const frame = createI420Frame(width, height)
    fillWithNoise(frame, wholeOf(frame), { seed: 9, amplitude: 40, cell: 3 })
    const quality = [40, 30, 22, 14].map((qp) => {
      const encoder = createH264Encoder({ width, height, qp })
      encoder.encode(frame, { isKey: true })
      return lumaPsnr(frame, encoder.reconstruction())
    })
    expect(quality).toEqual(quality.toSorted((left, right) => left - right))
    expect(quality[2]).toBeGreaterThan(40)
  })

  it('refuses what it cannot code', () => {
    expect(() => createH264Encoder({ width: 101, height: 72 })).toThrow(/even positive width/)
    expect(() => createH264Encoder({ width: 1080, height: 2400 })).toThrow(/level 3.1/)
    expect(() => createH264Encoder({ width, height, qp: 5 })).toThrow(/12 to 51, got 5/)
    const encoder = createH264Encoder({ width, height })
    expect(() => encoder.encode(createI420Frame(72, 100), { isKey: true })).toThrow(/takes 100x72 frames, got 72x100/)
  })

  it('is not disturbed by a warm-up or another encoder between its pictures', () => {
    const frame = createI420Frame(width, height)
    fillWithNoise(frame, wholeOf(frame), { seed: 3, amplitude: 60 })
    const alone = createH264Encoder({ width, height })
    const disturbed = createH264Encoder({ width, height })
    const expected = [alone.encode(frame, { isKey: true }), alone.encode(frame, { isKey: false })]
    const first = disturbed.encode(frame, { isKey: true })
    warmUp()
    expect([first, disturbed.encode(frame, { isKey: false })]).toEqual(expected)
  })
})
