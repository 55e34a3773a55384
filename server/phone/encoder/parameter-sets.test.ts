import { h264ParseConfiguration } from '@yume-chan/scrcpy'
import { describe, expect, it } from 'vitest'
import { createI420Frame } from './i420'
import { writeConfiguration } from './parameter-sets'

describe('writeConfiguration', () => {
  it('is a baseline level 3.1 SPS and PPS, byte for byte', () => {
    const hex = Buffer.from(writeConfiguration(createI420Frame(540, 1200), 22)).toString('hex')
    expect(hex).toBe('000000016742c01f95a022025fbe6a0c0c0c0fea0000000168ce04f2')
  })

  it.each([
    [540, 1200, 0, 2],
    [64, 64, 0, 0],
    [66, 50, 14, 14],
    [1280, 720, 0, 0],
  ])('is read by Tango as %ix%i', (width, height) => {
    const frame = createI420Frame(width, height)
    expect(h264ParseConfiguration(writeConfiguration(frame, 24))).toMatchObject({
      profileIndex: 66,
      constraintSet: 0xc0,
      levelIndex: 31,
      encodedWidth: frame.codedWidth,
      encodedHeight: frame.codedHeight,
      croppedWidth: width,
      croppedHeight: height,
      cropLeft: 0,
      cropTop: 0,
    })
  })

  it('refuses a picture beyond level 3.1', () => {
    expect(() => writeConfiguration(createI420Frame(1080, 2400), 22)).toThrow(/1080x2400 is larger/)
    expect(() => writeConfiguration(createI420Frame(16, 2720), 22)).toThrow(RangeError)
  })
})
