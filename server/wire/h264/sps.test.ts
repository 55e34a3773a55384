import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { h264ParseSequenceParameterSet } from '@yume-chan/scrcpy'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitNalUnits } from '@/server/wire/h264/annex-b'
import { parseConfiguration } from '@/server/wire/h264/configuration'
import { parseSps } from '@/server/wire/h264/sps'
import { buildSps, spsFields, type SpsFields } from '@/server/wire/testing/build-sps'
import { concatenate, fromHex } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

const phone: SpsFields = {
  profileIdc: 66,
  constraintFlags: 0xc0,
  levelIdc: 31,
  chroma: null,
  pictureOrder: { type: 2 },
  maxNumRefFrames: 1,
  widthInMacroblocks: 34,
  heightInMapUnits: 75,
  isFrameOnly: true,
  crop: [0, 2, 0, 0],
  vui: null,
}

test('a baseline picture of 540x1200', () => {
  expect(parseSps(buildSps(phone))).toMatchObject({
    codec: 'avc1.42C01F',
    width: 540,
    height: 1200,
    maxNumRefFrames: 1,
    vui: null,
    maxNumReorderFrames: null,
  })
})

test('reads every field that was written', () => {
  fc.assert(
    fc.property(spsFields({ anyChroma: true }), (fields) => {
      const sps = parseSps(buildSps(fields))
      const format = fields.chroma?.formatIdc ?? 1
      const [left, right, top, bottom] = fields.crop ?? [0, 0, 0, 0]
      const rows = fields.isFrameOnly ? 1 : 2
      expect(sps).toMatchObject({
        profileIdc: fields.profileIdc,
        constraintFlags: fields.constraintFlags,
        levelIdc: fields.levelIdc,
        chromaFormatIdc: format,
        picOrderCntType: fields.pictureOrder.type,
        maxNumRefFrames: fields.maxNumRefFrames,
        width: fields.widthInMacroblocks * 16 - (left + right) * (format === 0 ? 1 : 2),
        height: fields.heightInMapUnits * 16 * rows - (top + bottom) * (format === 1 ? 2 : 1) * rows,
        maxNumReorderFrames: fields.vui?.bitstreamRestriction?.maxNumReorderFrames ?? null,
        maxDecFrameBuffering: fields.vui?.bitstreamRestriction?.maxDecFrameBuffering ?? null,
      })
      expect(sps.vui === null).toBe(fields.vui === null)
      if (fields.vui !== null) {
        const { sampleAspectRatio, colour, timing, bitstreamRestriction } = fields.vui
        expect(sps.vui).toMatchObject({ sampleAspectRatio, colour, timing, bitstreamRestriction })
      }
    }),
  )
})

test('agrees with Tango where Tango reads the whole syntax', () => {
  fc.assert(
    fc.property(spsFields({ anyChroma: false }), (fields) => {
      const unit = buildSps(fields)
      const theirs = h264ParseSequenceParameterSet(unit)
      const sps = parseSps(unit)
      const rows = 2 - theirs.frame_mbs_only_flag
      const columnsCropped = theirs.frame_crop_left_offset + theirs.frame_crop_right_offset
      const rowsCropped = theirs.frame_crop_top_offset + theirs.frame_crop_bottom_offset
      expect(sps).toMatchObject({
        profileIdc: theirs.profile_idc,
        constraintFlags: theirs.constraint_set,
        levelIdc: theirs.level_idc,
        width: (theirs.pic_width_in_mbs_minus1 + 1) * 16 - columnsCropped * 2,
        // Tango's own size leaves out that a field's crop counts twice (7.4.2.1.1, CropUnitY).
        height: (theirs.pic_height_in_map_units_minus1 + 1) * 16 * rows - rowsCropped * 2 * rows,
      })
    }),
  )
})

describe('refuses', () => {
  test('an SPS cut at any byte', () => {
    const unit = buildSps({ ...phone, vui: null })
    for (let length = 0; length < unit.length - 1; length += 1) {
      expect(() => parseSps(unit.subarray(0, length))).toThrow(WireError)
    }
  })

  test('another unit', () => {
    expect(() => parseSps(fromHex('68ce3c80'))).toThrow(/type 8, not 7/)
  })

  test.each<[string, Partial<SpsFields>, RegExp]>([
    ['too many reference frames', { maxNumRefFrames: 17 }, /max_num_ref_frames 17 is over 16/],
    ['a picture over 16384 pixels', { widthInMacroblocks: 1_025 }, /16400x1200/],
    ['a crop of the whole picture', { crop: [0, 272, 0, 0] }, /cropped 0x1200/],
  ])('%s', (_, change, message) => {
    expect(() => parseSps(buildSps({ ...phone, ...change }))).toThrow(message)
  })

  test('a configuration without its parameter sets', () => {
    const startCode = fromHex('00000001')
    expect(() => parseConfiguration(concatenate([startCode, fromHex('68ce3c80')]))).toThrow(/no SPS/)
    expect(() => parseConfiguration(concatenate([startCode, buildSps(phone)]))).toThrow(/no PPS/)
  })

  test('arbitrary bytes, with a WireError and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          parseSps(concatenate([Uint8Array.of(0x67), bytes]))
        } catch (error) {
          expect(error).toBeInstanceOf(WireError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe.skipIf(!process.env.TAPLINE_SHARED)('a real phone', () => {
  const read = (index: number): Uint8Array =>
    readFileSync(join(process.env.TAPLINE_SHARED ?? '', `data/streams/android-h264-368x800.packet${index}.bin`))

  test('sends a configuration of High@3.1, 368x800', () => {
    const { sps, ppsUnit } = parseConfiguration(read(0))
    expect(sps).toMatchObject({ profileIdc: 100, levelIdc: 31, codec: 'avc1.64001F', width: 368, height: 800 })
    expect(ppsUnit[0]).toBe(0x68)
  })

  test('sends one access unit a packet: a key frame, then others', () => {
    const types = [1, 2, 3, 4].map((index) => splitNalUnits(read(index)).map((unit) => (unit[0] ?? 0) & 0x1f))
    expect(types).toEqual([[5], [1], [1], [1]])
  })
})
