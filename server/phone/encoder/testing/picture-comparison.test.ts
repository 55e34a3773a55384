import { describe, expect, it } from 'vitest'
import { createI420Frame } from '../i420'
import type { I420Frame } from '../i420'
import { differingPlanes, hashPlanes, lumaPsnr } from './picture-comparison'

describe('picture comparison', () => {
  it.each(['y', 'u', 'v'] as const)('names plane %s when one bit of it is flipped', (name) => {
    const frame = createI420Frame(34, 18)
    const flipped: I420Frame = { ...frame, [name]: frame[name].slice() }
    expect(differingPlanes(hashPlanes(frame), flipped)).toEqual([])
    flipped[name][0]! ^= 1
    expect(differingPlanes(hashPlanes(frame), flipped)).toEqual([name])
  })

  it('looks at the last visible sample, but not at the padding', () => {
    const frame = createI420Frame(34, 18)
    const changed = { ...frame, y: frame.y.slice() }
    changed.y[17 * 48 + 34]! ^= 255
    expect(differingPlanes(hashPlanes(frame), changed)).toEqual([])
    changed.y[17 * 48 + 33]! ^= 1
    expect(differingPlanes(hashPlanes(frame), changed)).toEqual(['y'])
  })

  it('measures PSNR', () => {
    const frame = createI420Frame(16, 16)
    expect(lumaPsnr(frame, frame)).toBe(Infinity)
    const off = { ...frame, y: frame.y.map((value) => value + 1) }
    expect(lumaPsnr(frame, off)).toBeCloseTo(48.13, 2)
  })
})
