import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openChromiumDecoder } from './chromium-decoder'
import type { ChromiumDecoder } from './chromium-decoder'
import { createH264Encoder } from './h264-encoder'
import type { H264Encoder } from './h264-encoder'
import { createI420Frame } from './i420'
import type { I420Frame } from './i420'
import { differingPlanes, hashPlanes, lumaPsnr } from './picture-comparison'
import { fillWithNoise, staticScreen, typingScreen } from './test-screens'
import type { SequenceStep } from './test-screens'

const codec = 'avc1.42C01F'
const hasChromium = existsSync(chromiumPath)
const mustRun = Boolean(process.env['CI'])
if (!hasChromium && !mustRun) {
  console.warn(`Skipped: no Chromium at ${chromiumPath} to check the encoder with; set TAPLINE_CHROMIUM.`)
}

describe.skipIf(!hasChromium && !mustRun)('H.264 encoder against the decoder of Chromium', () => {
  let decoder: ChromiumDecoder

  beforeAll(async () => {
    decoder = await openChromiumDecoder()
  })

  afterAll(async () => {
    await decoder?.close()
  })

  async function expectExactDecode(encoder: H264Encoder, step: SequenceStep, label: string): Promise<Uint8Array> {
    const encoded = encoder.encode(step.frame, { isKey: step.isKey, damage: step.damage })
    const unit = encoded.isKey ? Buffer.concat([encoder.configuration, encoded.data]) : encoded.data
    const picture = await decoder.decode(unit, encoded.isKey)
    expect(picture, label).toMatchObject({
      width: step.frame.width,
      height: step.frame.height,
      format: 'I420',
      matrix: 'smpte170m',
      isFullRange: false,
    })
    expect(differingPlanes(picture, encoder.reconstruction()), label).toEqual([])
    return encoded.data
  }

  it.each([
    ['static', staticScreen],
    ['typing', typingScreen],
  ])('decodes every picture of the %s sequence bit for bit, at 40 dB or more', async (name, sequence) => {
    const encoder = createH264Encoder({ width: 540, height: 1200 })
    await decoder.begin(codec)
    let pictures = 0
    for (const step of sequence()) {
      const label = `${name} picture ${pictures}`
      await expectExactDecode(encoder, step, label)
      expect(lumaPsnr(step.frame, encoder.reconstruction()), label).toBeGreaterThanOrEqual(40)
      pictures++
    }
    expect(pictures).toBe(30)
  })

  it.each([
    [64, 64, 18, 128],
    [66, 50, 18, 60],
    [176, 144, 22, 128],
    [144, 176, 24, 20],
    [96, 80, 37, 128],
    [64, 64, 51, 128],
  ])('decodes noise of %ix%i at QP %i, amplitude %i, bit for bit', async (width, height, qp, amplitude) => {
    const encoder = createH264Encoder({ width, height, qp })
    const frame = createI420Frame(width, height)
    await decoder.begin(codec)
    const whole = { x: 0, y: 0, width: frame.codedWidth, height: frame.codedHeight }
    for (let picture = 0; picture < 12; picture++) {
      // Whole pictures, small patches that leave skipped macroblocks as neighbours, and IDR pictures in a row.
      const rect = picture % 4 === 0 ? whole : { x: (picture * 6) % 32, y: (picture * 10) % 32, width: 18, height: 18 }
      fillWithNoise(frame, picture + 1, rect, amplitude)
      await expectExactDecode(encoder, { frame, damage: [rect], isKey: picture >= 9 }, `picture ${picture}`)
    }
  })

  it('keeps frame_num right when it wraps', async () => {
    const encoder = createH264Encoder({ width: 64, height: 64 })
    const frame = createI420Frame(64, 64)
    await decoder.begin(codec)
    for (let picture = 0; picture < 300; picture++) {
      const rect = { x: (picture * 16) % 64, y: 16, width: 16, height: 16 }
      if (picture % 5 === 0) fillWithNoise(frame, picture, rect, 60)
      await expectExactDecode(encoder, { frame, damage: [rect], isKey: false }, `picture ${picture}`)
    }
  })

  it('sees a single flipped bit in any plane', async () => {
    const encoder = createH264Encoder({ width: 64, height: 48 })
    const frame = createI420Frame(64, 48)
    fillWithNoise(frame, 1, { x: 0, y: 0, width: 64, height: 48 }, 60)
    await decoder.begin(codec)
    const { data } = encoder.encode(frame, { isKey: true })
    const picture = await decoder.decode(Buffer.concat([encoder.configuration, data]), true)
    const shown = encoder.reconstruction()
    expect(hashPlanes(shown)).toEqual({ y: picture.y, u: picture.u, v: picture.v })
    for (const name of ['y', 'u', 'v'] as const) {
      const flipped: I420Frame = { ...shown, [name]: shown[name].slice() }
      flipped[name][flipped[name].length >> 1]! ^= 1
      expect(differingPlanes(picture, flipped)).toEqual([name])
    }
  })
})
