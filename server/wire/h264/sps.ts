import { nalType, nalTypes, removeEmulationPrevention } from '@/server/wire/h264/annex-b'
import { BitReader } from '@/server/wire/h264/bits'
import { parseVui, type Vui } from '@/server/wire/h264/vui'
import { WireError } from '@/server/wire/wire-error'

/** A sequence parameter set (ITU-T H.264 7.3.2.1.1). */
export type Sps = {
  profileIdc: number
  /** The byte of constraint_set0_flag (bit 7) to constraint_set5_flag (bit 2). */
  constraintFlags: number
  /** Ten times the level: 31 is level 3.1. */
  levelIdc: number
  spsId: number
  chromaFormatIdc: number
  maxNumRefFrames: number
  picOrderCntType: number
  /** Pixels of the picture shown, after cropping. */
  width: number
  height: number
  /** WebCodecs and MP4 codec string, such as `avc1.42C01F`. */
  codec: string
  vui: Vui | null
  /** From the bitstream restriction; null when it is absent, and a decoder may then hold back a whole buffer. */
  maxNumReorderFrames: number | null
  maxDecFrameBuffering: number | null
  /** Bit positions in the unit without emulation prevention: of vui_parameters_present_flag. */
  vuiFlagPosition: number
}

/** Profiles whose parameter sets carry the chroma format (ITU-T H.264 7.3.2.1.1). */
const profilesWithChroma = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])
/** The largest level (6.2) ends far below it. */
const maxPixelsPerSide = 16_384

/**
 * Reads an SPS unit (without start code, with emulation prevention). Throws WireError when it is not an SPS, is cut
 * short or has a value outside the standard.
 */
export function parseSps(unit: Uint8Array): Sps {
  if (nalType(unit) !== nalTypes.sps) throw new WireError(`H.264 NAL unit has type ${nalType(unit)}, not 7 (SPS)`)
  const reader = new BitReader(removeEmulationPrevention(unit))
  reader.bits(8)
  const profileIdc = reader.bits(8)
  const constraintFlags = reader.bits(8)
  const levelIdc = reader.bits(8)
  const spsId = limit(reader.ue(), 31, 'seq_parameter_set_id')
  const chroma = profilesWithChroma.has(profileIdc) ? readChroma(reader) : { chromaFormatIdc: 1, isSeparate: false }
  limit(reader.ue(), 12, 'log2_max_frame_num_minus4')
  const picOrderCntType = readPictureOrderCount(reader)
  const maxNumRefFrames = limit(reader.ue(), 16, 'max_num_ref_frames')
  reader.flag()
  const size = readSize(reader, chroma.isSeparate ? 0 : chroma.chromaFormatIdc)
  const vuiFlagPosition = reader.position
  const vui = reader.flag() ? parseVui(reader) : null
  return {
    profileIdc,
    constraintFlags,
    levelIdc,
    spsId,
    chromaFormatIdc: chroma.chromaFormatIdc,
    maxNumRefFrames,
    picOrderCntType,
    ...size,
    codec: `avc1.${[profileIdc, constraintFlags, levelIdc].map(hexadecimal).join('')}`,
    vui,
    maxNumReorderFrames: vui?.bitstreamRestriction?.maxNumReorderFrames ?? null,
    maxDecFrameBuffering: vui?.bitstreamRestriction?.maxDecFrameBuffering ?? null,
    vuiFlagPosition,
  }
}

function readChroma(reader: BitReader): { chromaFormatIdc: number; isSeparate: boolean } {
  const chromaFormatIdc = limit(reader.ue(), 3, 'chroma_format_idc')
  const isSeparate = chromaFormatIdc === 3 && reader.flag()
  limit(reader.ue(), 6, 'bit_depth_luma_minus8')
  limit(reader.ue(), 6, 'bit_depth_chroma_minus8')
  reader.flag()
  if (reader.flag()) {
    const lists = chromaFormatIdc === 3 ? 12 : 8
    for (let list = 0; list < lists; list += 1) {
      if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64)
    }
  }
  return { chromaFormatIdc, isSeparate }
}

/** 7.3.2.1.1.1: a next scale of 0 ends the list. */
function skipScalingList(reader: BitReader, size: number): void {
  let scale = 8
  for (let index = 0; index < size; index += 1) {
    const next = (scale + reader.se() + 256) % 256
    if (next === 0) return
    scale = next
  }
}

function readPictureOrderCount(reader: BitReader): number {
  const type = limit(reader.ue(), 2, 'pic_order_cnt_type')
  if (type === 0) limit(reader.ue(), 12, 'log2_max_pic_order_cnt_lsb_minus4')
  if (type === 1) {
    reader.flag()
    reader.se()
    reader.se()
    const frames = limit(reader.ue(), 255, 'num_ref_frames_in_pic_order_cnt_cycle')
    for (let index = 0; index < frames; index += 1) reader.se()
  }
  return type
}

/** `chromaArrayType` 0 is one plane; it sets the unit of the cropping (7.4.2.1.1). */
function readSize(reader: BitReader, chromaArrayType: number): { width: number; height: number } {
  const codedWidth = (reader.ue() + 1) * 16
  const mapUnits = reader.ue() + 1
  const isFrameOnly = reader.flag()
  if (!isFrameOnly) reader.flag()
  const fields = isFrameOnly ? 1 : 2
  const codedHeight = mapUnits * 16 * fields
  reader.flag()
  const [left, right, top, bottom] = reader.flag() ? [reader.ue(), reader.ue(), reader.ue(), reader.ue()] : [0, 0, 0, 0]
  const unitX = chromaArrayType === 1 || chromaArrayType === 2 ? 2 : 1
  const unitY = (chromaArrayType === 1 ? 2 : 1) * fields
  const width = codedWidth - (left + right) * unitX
  const height = codedHeight - (top + bottom) * unitY
  if (width <= 0 || height <= 0 || codedWidth > maxPixelsPerSide || codedHeight > maxPixelsPerSide) {
    throw new WireError(`SPS picture of ${codedWidth}x${codedHeight}, cropped ${width}x${height}, is out of range`)
  }
  return { width, height }
}

function limit(value: number, maximum: number, field: string): number {
  if (value > maximum) throw new WireError(`SPS ${field} ${value} is over ${maximum}`)
  return value
}

function hexadecimal(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}
