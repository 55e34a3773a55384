import {
  addEmulationPrevention,
  joinNalUnits,
  nalType,
  nalTypes,
  removeEmulationPrevention,
  splitNalUnits,
} from '@/server/wire/h264/annex-b'
import { BitReader, BitWriter } from '@/server/wire/h264/bits'
import { parseSps } from '@/server/wire/h264/sps'
import type { BitstreamRestriction } from '@/server/wire/h264/vui'
import { WireError } from '@/server/wire/wire-error'

/** The values a decoder infers when no restriction is sent (ITU-T H.264 E.2.1), so that adding one changes nothing else. */
const inferredRestriction = {
  motionVectorsOverPicBoundaries: true,
  maxBytesPerPicDenom: 2,
  maxBitsPerMbDenom: 1,
  log2MaxMvLengthHorizontal: 16,
  log2MaxMvLengthVertical: 16,
}

/** aspect ratio, overscan, video signal, chroma location, timing, NAL HRD, VCL HRD, pic_struct: all absent. */
const emptyVuiFlags = 8

/**
 * Returns the SPS saying that frames are shown in the order they are decoded: max_num_reorder_frames 0 and
 * max_dec_frame_buffering max_num_ref_frames, the least the standard allows. Without it a hardware decoder holds frames
 * back (267 ms against 2.5 ms measured on phones). All other bits stay. Only for streams without B frames, as
 * phones send them to scrcpy: with B frames the order would be wrong. Throws WireError on a broken SPS.
 */
export function rewriteSpsForLowDelay(unit: Uint8Array): Uint8Array<ArrayBuffer> {
  const sps = parseSps(unit)
  const restriction: BitstreamRestriction = {
    ...(sps.vui?.bitstreamRestriction ?? inferredRestriction),
    maxNumReorderFrames: 0,
    maxDecFrameBuffering: sps.maxNumRefFrames,
  }
  const reader = new BitReader(removeEmulationPrevention(unit))
  const writer = new BitWriter()
  const keptBits = sps.vui?.restrictionFlagPosition ?? sps.vuiFlagPosition
  while (reader.position < keptBits) writer.bit(reader.bit())
  if (sps.vui === null) {
    writer.flag(true)
    writer.bits(0, emptyVuiFlags)
  }
  writer.flag(true)
  writeRestriction(writer, restriction)
  writer.trailingBits()
  return addEmulationPrevention(writer.finish())
}

/**
 * Returns a configuration (SPS and PPS in Annex B) with every SPS rewritten and the other units untouched; start codes
 * become 4 bytes long. Throws WireError when there is no SPS.
 */
export function rewriteConfiguration(annexB: Uint8Array): Uint8Array<ArrayBuffer> {
  const units = splitNalUnits(annexB)
  if (!units.some((unit) => nalType(unit) === nalTypes.sps)) throw new WireError('H.264 configuration has no SPS')
  return joinNalUnits(units.map((unit) => (nalType(unit) === nalTypes.sps ? rewriteSpsForLowDelay(unit) : unit)))
}

function writeRestriction(writer: BitWriter, restriction: BitstreamRestriction): void {
  writer.flag(restriction.motionVectorsOverPicBoundaries)
  writer.ue(restriction.maxBytesPerPicDenom)
  writer.ue(restriction.maxBitsPerMbDenom)
  writer.ue(restriction.log2MaxMvLengthHorizontal)
  writer.ue(restriction.log2MaxMvLengthVertical)
  writer.ue(restriction.maxNumReorderFrames)
  writer.ue(restriction.maxDecFrameBuffering)
}
