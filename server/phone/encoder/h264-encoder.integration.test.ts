import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openChromiumDecoder } from './testing/chromium-decoder'
import type { ChromiumDecoder } from './testing/chromium-decoder'
import { createH264Encoder } from './h264-encoder'
import type { H264Encoder } from './h264-encoder'
import { createI420Frame } from './i420'
import type { I420Frame } from './i420'
import { differingPlanes, hashPlanes, lumaPsnr } from './testing/picture-comparison'
import { fillWithNoise, staticScreen, typingScreen } from './testing/test-screens'
import type { SequenceStep } from './testing/test-screens'

const codec = 'avc1.42C01F'
const hasChromium = existsSync(chromiumPath)
const mustRun = Boolean(process.env['CI'])
if (!hasChromium && !mustRun) {
  process.stderr.write(`Skipped: no Chromium at ${chromiumPath} to check the encoder with; set TAPLINE_CHROMIUM.\n`)
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
    { width: 64, height: 64, qp: 12, amplitude: 128, cell: 1 }, // too many bits: raw samples
    { width: 66, height: 50, qp: 12, amplitude: 100, cell: 1 }, // long level escapes, cropped both ways
    { width: 176, height: 144, qp: 22, amplitude: 128, cell: 1 },
    { width: 144, height: 176, qp: 24, amplitude: 20, cell: 1 },
    { width: 128, height: 96, qp: 12, amplitude: 128, cell: 16 }, // the largest DC levels
    { width: 128, height: 96, qp: 13, amplitude: 128, cell: 4 },
    { width: 128, height: 96, qp: 23, amplitude: 128, cell: 3 },
    { width: 96, height: 80, qp: 37, amplitude: 128, cell: 1 },
    { width: 96, height: 80, qp: 45, amplitude: 90, cell: 5 },
    { width: 64, height: 64, qp: 51, amplitude: 128, cell: 2 },
  ])('decodes noise bit for bit: $width x $height, QP $qp, amplitude $amplitude, cell $cell', async (noise) => {
    const { width, height, qp, amplitude, cell } = noise
    const encoder = createH264Encoder({ width, height, qp })
    const frame = createI420Frame(width, height)
    await decoder.begin(codec)
    const whole = { x: 0, y: 0, width: frame.codedWidth, height: frame.codedHeight }
    for (let picture = 0; picture < 12; picture++) {
      // Whole pictures, small patches that leave skipped macroblocks as neighbours, and IDR pictures in a row.
      const rect = picture % 4 === 0 ? whole : { x: (picture * 6) % 32, y: (picture * 10) % 32, width: 18, height: 18 }
      fillWithNoise(frame, rect, { seed: picture, amplitude, cell })
      await expectExactDecode(encoder, { frame, damage: [rect], isKey: picture >= 9 }, `picture ${picture}`)
    }
  })

  it('decodes bit for bit at every QP', async () => {
    for (let qp = 12; qp <= 51; qp++) {
      const encoder = createH264Encoder({ width: 64, height: 48, qp })
      const frame = createI420Frame(64, 48)
      await decoder.begin(codec)
      for (const [picture, amplitude] of [90, 30, 128].entries()) {
        // Each picture changes less of the last one: the third puts raw macroblocks beside transformed ones at low QP.
        const rect = { x: 0, y: 0, width: 64 - picture * 20, height: 48 }
        fillWithNoise(frame, rect, { seed: qp + picture, amplitude, cell: 1 + (picture & 1) })
        await expectExactDecode(
          encoder,
          { frame, damage: [rect], isKey: picture === 2 },
          `QP ${qp}, picture ${picture}`,
        )
      }
    }
  })

  it('goes on over the wrap of frame_num', async () => {
    const encoder = createH264Encoder({ width: 64, height: 64 })
    const frame = createI420Frame(64, 64)
    await decoder.begin(codec)
    for (let picture = 0; picture < 300; picture++) {
      const rect = { x: (picture * 16) % 64, y: 16, width: 16, height: 16 }
      if (picture % 5 === 0) fillWithNoise(frame, rect, { seed: picture, amplitude: 60 })
      await expectExactDecode(encoder, { frame, damage: [rect], isKey: false }, `picture ${picture}`)
    }
  })

  it('sees a single flipped bit in any plane', async () => {
    const encoder = createH264Encoder({ width: 64, height: 48 })
    const frame = createI420Frame(64, 48)
    fillWithNoise(frame, { x: 0, y: 0, width: 64, height: 48 }, { seed: 1, amplitude: 60 })
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
