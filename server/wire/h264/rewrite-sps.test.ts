import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { h264ParseConfiguration } from '@yume-chan/scrcpy'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addEmulationPrevention, removeEmulationPrevention, splitNalUnits } from '@/server/wire/h264/annex-b'
import { BitReader, BitWriter } from '@/server/wire/h264/bits'
import { parseConfiguration } from '@/server/wire/h264/configuration'
import { rewriteConfiguration, rewriteSpsForLowDelay } from '@/server/wire/h264/rewrite-sps'
import { parseSps } from '@/server/wire/h264/sps'
import { buildSps, spsFields } from '@/server/wire/testing/build-sps'
import { concatenate, fromHex } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

const anySps = spsFields({ anyChroma: true })
const startCode = fromHex('00000001')

/** The first bits of a unit, without emulation prevention. */
function leadingBits(unit: Uint8Array, count: number): string {
  const reader = new BitReader(removeEmulationPrevention(unit))
  let bits = ''
  while (reader.position < count) bits += reader.bit()
  return bits
}

test('says no reordering, with room for exactly the reference frames', () => {
  fc.assert(
    fc.property(anySps, (fields) => {
      const sps = parseSps(rewriteSpsForLowDelay(buildSps(fields)))
      expect(sps.maxNumReorderFrames).toBe(0)
      expect(sps.maxDecFrameBuffering).toBe(fields.maxNumRefFrames)
    }),
  )
})

test('writes exactly the SPS an encoder would have written with that restriction', () => {
  fc.assert(
    fc.property(anySps, (fields) => {
      const vui = fields.vui
      if (vui === null) return
      const bitstreamRestriction = {
        ...(vui.bitstreamRestriction ?? {
          motionVectorsOverPicBoundaries: true,
          maxBytesPerPicDenom: 2,
          maxBitsPerMbDenom: 1,
          log2MaxMvLengthHorizontal: 16,
          log2MaxMvLengthVertical: 16,
        }),
        maxNumReorderFrames: 0,
        maxDecFrameBuffering: fields.maxNumRefFrames,
      }
      expect(rewriteSpsForLowDelay(buildSps(fields))).toEqual(
        buildSps({ ...fields, vui: { ...vui, bitstreamRestriction } }),
      )
    }),
  )
})

test('keeps every bit before the restriction', () => {
  fc.assert(
    fc.property(anySps, (fields) => {
      const unit = buildSps(fields)
      const before = parseSps(unit)
      const kept = before.vui?.restrictionFlagPosition ?? before.vuiFlagPosition
      expect(leadingBits(rewriteSpsForLowDelay(unit), kept)).toBe(leadingBits(unit, kept))
    }),
  )
})

test('a second time changes nothing', () => {
  fc.assert(
    fc.property(anySps, (fields) => {
      const once = rewriteSpsForLowDelay(buildSps(fields))
      expect(rewriteSpsForLowDelay(once)).toEqual(once)
    }),
  )
})

test('of a configuration changes the SPS alone', () => {
  fc.assert(
    fc.property(anySps, (fields) => {
      const sps = buildSps(fields)
      const pps = fromHex('68ce3c80')
      const rewritten = rewriteConfiguration(concatenate([startCode, sps, fromHex('000001'), pps]))
      expect(splitNalUnits(rewritten)).toEqual([rewriteSpsForLowDelay(sps), pps])
    }),
  )
})

test('refuses a configuration without SPS, or with a broken one', () => {
  expect(() => rewriteConfiguration(concatenate([startCode, fromHex('68ce3c80')]))).toThrow(/no SPS/)
  expect(() => rewriteConfiguration(concatenate([startCode, fromHex('6742c0')]))).toThrow(WireError)
  expect(() => rewriteConfiguration(new Uint8Array(0))).toThrow(/no SPS/)
})

describe.skipIf(!process.env.TAPLINE_SHARED)('of a real phone', () => {
  const read = (): Uint8Array =>
    readFileSync(join(process.env.TAPLINE_SHARED ?? '', 'data/streams/android-h264-368x800.packet0.bin'))

  test('that already promises no reordering, comes out byte for byte', () => {
    expect(rewriteConfiguration(read())).toEqual(Uint8Array.from(read()))
  })

  test('gets the promise when its VUI is taken away', () => {
    const { sps, spsUnit } = parseConfiguration(read())
    const reader = new BitReader(removeEmulationPrevention(spsUnit))
    const writer = new BitWriter()
    while (reader.position < sps.vuiFlagPosition) writer.bit(reader.bit())
    writer.flag(false)
    writer.trailingBits()
    const bare = addEmulationPrevention(writer.finish())
    expect(parseSps(bare).maxNumReorderFrames).toBeNull()
    expect(parseSps(rewriteSpsForLowDelay(bare))).toMatchObject({
      codec: 'avc1.64001F',
      width: 368,
      height: 800,
      maxNumReorderFrames: 0,
      maxDecFrameBuffering: 1,
    })
  })

  test('keeps picture, profile and PPS, also as Tango reads them', () => {
    const original = read()
    const rewritten = rewriteConfiguration(original)
    const before = parseConfiguration(original)
    const after = parseConfiguration(rewritten)
    expect(after.sps).toMatchObject({
      codec: 'avc1.64001F',
      width: 368,
      height: 800,
      maxNumRefFrames: before.sps.maxNumRefFrames,
      maxNumReorderFrames: 0,
      maxDecFrameBuffering: before.sps.maxNumRefFrames,
    })
    expect([...after.ppsUnit]).toEqual([...before.ppsUnit])
    const { sequenceParameterSet: _before, ...theirsBefore } = h264ParseConfiguration(Uint8Array.from(original))
    const { sequenceParameterSet: _after, ...theirsAfter } = h264ParseConfiguration(rewritten)
    expect(theirsAfter).toEqual(theirsBefore)
    expect([theirsAfter.croppedWidth, theirsAfter.croppedHeight]).toEqual([368, 800])
  })
})
