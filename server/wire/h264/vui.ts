import type { BitReader } from '@/server/wire/h264/bits'
import { WireError } from '@/server/wire/wire-error'

/** What a decoder may rely on about buffering (ITU-T H.264 E.1.1 and E.2.1). */
export type BitstreamRestriction = {
  motionVectorsOverPicBoundaries: boolean
  maxBytesPerPicDenom: number
  maxBitsPerMbDenom: number
  log2MaxMvLengthHorizontal: number
  log2MaxMvLengthVertical: number
  /** Frames that may come before a frame in decoding order and after it in output order. */
  maxNumReorderFrames: number
  maxDecFrameBuffering: number
}

/** Video usability information, as far as Tapline uses it. */
export type Vui = {
  /** Width to height of a pixel, or null when unspecified (then square). */
  sampleAspectRatio: { idc: number; width: number; height: number } | null
  colour: { isFullRange: boolean; primaries: number; transfer: number; matrix: number } | null
  timing: { numUnitsInTick: number; timeScale: number; isFixedFrameRate: boolean } | null
  bitstreamRestriction: BitstreamRestriction | null
  /** Bit position of bitstream_restriction_flag in the unit without emulation prevention. */
  restrictionFlagPosition: number
}

const extendedSampleAspectRatio = 255
/** Value 2 of the colour codes: unspecified. */
const unspecified = 2

/** Reads vui_parameters(), which ends an SPS. Throws WireError when it is cut short or has too many HRD entries. */
export function parseVui(reader: BitReader): Vui {
  const sampleAspectRatio = reader.flag() ? readSampleAspectRatio(reader) : null
  if (reader.flag()) reader.flag()
  const colour = reader.flag() ? readColour(reader) : null
  if (reader.flag()) {
    reader.ue()
    reader.ue()
  }
  const timing = reader.flag()
    ? { numUnitsInTick: reader.bits(32), timeScale: reader.bits(32), isFixedFrameRate: reader.flag() }
    : null
  const hasNalHrd = reader.flag()
  if (hasNalHrd) skipHrd(reader)
  const hasVclHrd = reader.flag()
  if (hasVclHrd) skipHrd(reader)
  if (hasNalHrd || hasVclHrd) reader.flag()
  reader.flag()
  const restrictionFlagPosition = reader.position
  const bitstreamRestriction = reader.flag() ? readRestriction(reader) : null
  return { sampleAspectRatio, colour, timing, bitstreamRestriction, restrictionFlagPosition }
}

function readSampleAspectRatio(reader: BitReader): { idc: number; width: number; height: number } {
  const idc = reader.bits(8)
  if (idc !== extendedSampleAspectRatio) return { idc, width: 0, height: 0 }
  return { idc, width: reader.bits(16), height: reader.bits(16) }
}

function readColour(reader: BitReader): Vui['colour'] {
  reader.bits(3)
  const isFullRange = reader.flag()
  if (!reader.flag()) return { isFullRange, primaries: unspecified, transfer: unspecified, matrix: unspecified }
  return { isFullRange, primaries: reader.bits(8), transfer: reader.bits(8), matrix: reader.bits(8) }
}

function skipHrd(reader: BitReader): void {
  const entries = reader.ue() + 1
  if (entries > 32) throw new WireError(`SPS cpb_cnt_minus1 ${entries - 1} is over 31`)
  reader.bits(8)
  for (let entry = 0; entry < entries; entry += 1) {
    reader.ue()
    reader.ue()
    reader.flag()
  }
  reader.bits(20)
}

function readRestriction(reader: BitReader): BitstreamRestriction {
  return {
    motionVectorsOverPicBoundaries: reader.flag(),
    maxBytesPerPicDenom: reader.ue(),
    maxBitsPerMbDenom: reader.ue(),
    log2MaxMvLengthHorizontal: reader.ue(),
    log2MaxMvLengthVertical: reader.ue(),
    maxNumReorderFrames: reader.ue(),
    maxDecFrameBuffering: reader.ue(),
  }
}
