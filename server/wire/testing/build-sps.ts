import fc from 'fast-check'
import { addEmulationPrevention } from '@/server/wire/h264/annex-b'
import { BitWriter } from '@/server/wire/h264/bits'
import type { BitstreamRestriction } from '@/server/wire/h264/vui'

/** The fields of an SPS that tests vary, in the order of ITU-T H.264 7.3.2.1.1. */
export type SpsFields = {
  profileIdc: number
  constraintFlags: number
  levelIdc: number
  /** Written for the profiles that carry it. `scalingLists`: the deltas of each of the 8 lists, or null for absent. */
  chroma: { formatIdc: 0 | 1 | 2; scalingLists: (number[] | null)[] | null } | null
  pictureOrder: { type: 0 } | { type: 1; offsets: number[] } | { type: 2 }
  maxNumRefFrames: number
  widthInMacroblocks: number
  heightInMapUnits: number
  isFrameOnly: boolean
  crop: [left: number, right: number, top: number, bottom: number] | null
  vui: VuiFields | null
}

export type VuiFields = {
  sampleAspectRatio: { idc: number; width: number; height: number } | null
  colour: { isFullRange: boolean; primaries: number; transfer: number; matrix: number } | null
  chromaLocation: [number, number] | null
  timing: { numUnitsInTick: number; timeScale: number; isFixedFrameRate: boolean } | null
  /** Pairs of bit rate and buffer size. */
  nalHrd: [number, number][] | null
  vclHrd: [number, number][] | null
  bitstreamRestriction: BitstreamRestriction | null
}

/** Returns the SPS unit of these fields, with emulation prevention. */
export function buildSps(fields: SpsFields): Uint8Array<ArrayBuffer> {
  const writer = new BitWriter()
  writer.bits(0x67, 8)
  writer.bits(fields.profileIdc, 8)
  writer.bits(fields.constraintFlags, 8)
  writer.bits(fields.levelIdc, 8)
  writer.ue(0)
  if (fields.chroma !== null) writeChroma(writer, fields.chroma)
  writer.ue(4)
  writer.ue(fields.pictureOrder.type)
  if (fields.pictureOrder.type === 0) writer.ue(5)
  if (fields.pictureOrder.type === 1) {
    writer.flag(false)
    writer.se(-3)
    writer.se(4)
    writer.ue(fields.pictureOrder.offsets.length)
    for (const offset of fields.pictureOrder.offsets) writer.se(offset)
  }
  writer.ue(fields.maxNumRefFrames)
  writer.flag(false)
  writer.ue(fields.widthInMacroblocks - 1)
  writer.ue(fields.heightInMapUnits - 1)
  writer.flag(fields.isFrameOnly)
  if (!fields.isFrameOnly) writer.flag(true)
  writer.flag(true)
  writer.flag(fields.crop !== null)
  for (const offset of fields.crop ?? []) writer.ue(offset)
  writer.flag(fields.vui !== null)
  if (fields.vui !== null) writeVui(writer, fields.vui)
  writer.trailingBits()
  return addEmulationPrevention(writer.finish())
}

function writeChroma(writer: BitWriter, chroma: NonNullable<SpsFields['chroma']>): void {
  writer.ue(chroma.formatIdc)
  writer.ue(0)
  writer.ue(0)
  writer.flag(false)
  writer.flag(chroma.scalingLists !== null)
  for (const deltas of chroma.scalingLists ?? []) {
    writer.flag(deltas !== null)
    for (const delta of deltas ?? []) writer.se(delta)
  }
}

function writeVui(writer: BitWriter, vui: VuiFields): void {
  writer.flag(vui.sampleAspectRatio !== null)
  if (vui.sampleAspectRatio !== null) {
    writer.bits(vui.sampleAspectRatio.idc, 8)
    if (vui.sampleAspectRatio.idc === 255) {
      writer.bits(vui.sampleAspectRatio.width, 16)
      writer.bits(vui.sampleAspectRatio.height, 16)
    }
  }
  writer.flag(true)
  writer.flag(false)
  writer.flag(vui.colour !== null)
  if (vui.colour !== null) {
    writer.bits(5, 3)
    writer.flag(vui.colour.isFullRange)
    writer.flag(true)
    for (const code of [vui.colour.primaries, vui.colour.transfer, vui.colour.matrix]) writer.bits(code, 8)
  }
  writer.flag(vui.chromaLocation !== null)
  for (const location of vui.chromaLocation ?? []) writer.ue(location)
  writer.flag(vui.timing !== null)
  if (vui.timing !== null) {
    writer.bits(vui.timing.numUnitsInTick, 32)
    writer.bits(vui.timing.timeScale, 32)
    writer.flag(vui.timing.isFixedFrameRate)
  }
  for (const hrd of [vui.nalHrd, vui.vclHrd]) {
    writer.flag(hrd !== null)
    if (hrd !== null) writeHrd(writer, hrd)
  }
  if (vui.nalHrd !== null || vui.vclHrd !== null) writer.flag(false)
  writer.flag(true)
  writer.flag(vui.bitstreamRestriction !== null)
  if (vui.bitstreamRestriction !== null) {
    const { motionVectorsOverPicBoundaries, ...codes } = vui.bitstreamRestriction
    writer.flag(motionVectorsOverPicBoundaries)
    writer.ue(codes.maxBytesPerPicDenom)
    writer.ue(codes.maxBitsPerMbDenom)
    writer.ue(codes.log2MaxMvLengthHorizontal)
    writer.ue(codes.log2MaxMvLengthVertical)
    writer.ue(codes.maxNumReorderFrames)
    writer.ue(codes.maxDecFrameBuffering)
  }
}

function writeHrd(writer: BitWriter, entries: [number, number][]): void {
  writer.ue(entries.length - 1)
  writer.bits(0x34, 8)
  for (const [bitRate, bufferSize] of entries) {
    writer.ue(bitRate)
    writer.ue(bufferSize)
    writer.flag(true)
  }
  writer.bits(0xabcde, 20)
}

const code = (maximum: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: maximum })
const byte = code(255)
const word = code(0xffff_ffff)
const hrd = fc.array(
  fc.tuple(
    word.map((value) => Math.min(value, 0xffff_fffe)),
    code(1_000),
  ),
  {
    minLength: 1,
    maxLength: 4,
  },
)
const restriction: fc.Arbitrary<BitstreamRestriction> = fc.record({
  motionVectorsOverPicBoundaries: fc.boolean(),
  maxBytesPerPicDenom: code(16),
  maxBitsPerMbDenom: code(16),
  log2MaxMvLengthHorizontal: code(16),
  log2MaxMvLengthVertical: code(16),
  maxNumReorderFrames: code(16),
  maxDecFrameBuffering: code(16),
})
const vuis: fc.Arbitrary<VuiFields> = fc.record({
  sampleAspectRatio: fc.option(
    fc.oneof(
      fc.record({ idc: code(16), width: fc.constant(0), height: fc.constant(0) }),
      fc.record({ idc: fc.constant(255), width: code(0xffff), height: code(0xffff) }),
    ),
  ),
  colour: fc.option(fc.record({ isFullRange: fc.boolean(), primaries: byte, transfer: byte, matrix: byte })),
  chromaLocation: fc.option(fc.tuple(code(5), code(5))),
  timing: fc.option(fc.record({ numUnitsInTick: word, timeScale: word, isFixedFrameRate: fc.boolean() })),
  nalHrd: fc.option(hrd),
  vclHrd: fc.option(hrd),
  bitstreamRestriction: fc.option(restriction),
})
/** A list of 16 or 64 deltas; one cut short ends with the delta that makes the scale 0. */
const scalingList = (size: number): fc.Arbitrary<number[]> =>
  fc.oneof(
    fc.constant(Array.from({ length: size }, () => 1)),
    fc.constant<number[]>([-8]),
    fc.constant<number[]>([2, 2, -12]),
  )
const scalingLists = fc.tuple(...Array.from({ length: 8 }, (_, index) => fc.option(scalingList(index < 6 ? 16 : 64))))

/** Valid parameter sets of the profiles phones use, 4:2:0 unless `anyChroma`. */
export function spsFields(options: { anyChroma: boolean }): fc.Arbitrary<SpsFields> {
  const high = fc.record({
    profileIdc: fc.constant(100),
    chroma: fc.record({
      formatIdc: options.anyChroma ? fc.constantFrom(0 as const, 1 as const, 2 as const) : fc.constant(1 as const),
      scalingLists: options.anyChroma ? fc.option(scalingLists) : fc.constant(null),
    }),
  })
  const simple = fc.record({ profileIdc: fc.constantFrom(66, 77), chroma: fc.constant(null) })
  const rest = fc.record({
    constraintFlags: code(63).map((flags) => flags * 4),
    levelIdc: fc.constantFrom(10, 31, 40, 51),
    pictureOrder: fc.oneof(
      fc.constant({ type: 0 as const }),
      fc.record({ type: fc.constant(1 as const), offsets: fc.array(fc.integer({ min: -500, max: 500 })) }),
      fc.constant({ type: 2 as const }),
    ),
    maxNumRefFrames: code(16),
    widthInMacroblocks: fc.integer({ min: 4, max: 200 }),
    heightInMapUnits: fc.integer({ min: 4, max: 200 }),
    isFrameOnly: fc.boolean(),
    crop: fc.option(fc.tuple(code(7), code(7), code(3), code(3))),
    vui: fc.option(vuis),
  })
  return fc.tuple(fc.oneof(high, simple), rest).map(([first, second]) => ({ ...first, ...second }))
}
