import { BitWriter } from './bit-writer'
import { nalUnitType, wrapNalUnit } from './nal-unit'

const profileBaseline = 66
/** constraint_set0 and 1: constrained baseline, as `avc1.42C01F` says. */
const constraintFlags = 0xc0
const level31 = 31
/** MaxFS of level 3.1, ITU-T H.264 table A-1. */
const maxMacroblocks = 3600
/** Largest width or height in macroblocks: sqrt(8 * MaxFS), ITU-T H.264 A.3.1. */
const maxSideMacroblocks = 169

/** frame_num counts modulo 2 to this power. */
export const frameNumBits = 8

export type PictureSize = { width: number; height: number; codedWidth: number; codedHeight: number }

/**
 * SPS and PPS as Annex-B with 4-byte start codes: constrained baseline, level 3.1, one reference frame, output order =
 * decoding order (POC type 2), CAVLC, the slice controls deblocking. `qp` becomes pic_init_qp.
 * Throws RangeError when the picture is larger than level 3.1 allows.
 */
export function writeConfiguration(size: PictureSize, qp: number): Uint8Array {
  const macroblockWidth = size.codedWidth / 16
  const macroblockHeight = size.codedHeight / 16
  if (
    macroblockWidth * macroblockHeight > maxMacroblocks ||
    macroblockWidth > maxSideMacroblocks ||
    macroblockHeight > maxSideMacroblocks
  ) {
    throw new RangeError(`A picture of ${size.width}x${size.height} is larger than H.264 level 3.1 allows.`)
  }
  const sequence = wrapNalUnit(nalUnitType.sequenceParameterSet, writeSequenceParameterSet(size))
  const picture = wrapNalUnit(nalUnitType.pictureParameterSet, writePictureParameterSet(qp))
  const configuration = new Uint8Array(sequence.length + picture.length)
  configuration.set(sequence)
  configuration.set(picture, sequence.length)
  return configuration
}

/** ITU-T H.264 7.3.2.1.1. */
function writeSequenceParameterSet(size: PictureSize): Uint8Array {
  const writer = new BitWriter(128)
  writer.write(profileBaseline, 8)
  writer.write(constraintFlags, 8)
  writer.write(level31, 8)
  writer.writeUnsigned(0) // seq_parameter_set_id
  writer.writeUnsigned(frameNumBits - 4) // log2_max_frame_num_minus4
  writer.writeUnsigned(2) // pic_order_cnt_type
  writer.writeUnsigned(1) // max_num_ref_frames
  writer.write(0, 1) // gaps_in_frame_num_value_allowed_flag
  writer.writeUnsigned(size.codedWidth / 16 - 1)
  writer.writeUnsigned(size.codedHeight / 16 - 1)
  writer.write(1, 1) // frame_mbs_only_flag
  writer.write(1, 1) // direct_8x8_inference_flag
  const cropRight = (size.codedWidth - size.width) / 2
  const cropBottom = (size.codedHeight - size.height) / 2
  if (cropRight + cropBottom > 0) {
    writer.write(1, 1) // frame_cropping_flag; offsets in chroma samples
    writer.writeUnsigned(0)
    writer.writeUnsigned(cropRight)
    writer.writeUnsigned(0)
    writer.writeUnsigned(cropBottom)
  } else {
    writer.write(0, 1)
  }
  writer.write(1, 1) // vui_parameters_present_flag
  writeVideoUsability(writer)
  return writer.finish()
}

/** ITU-T H.264 E.1.1. The bitstream restriction is what lets a decoder show a frame without waiting for the next. */
function writeVideoUsability(writer: BitWriter): void {
  writer.write(0, 1) // aspect_ratio_info_present_flag
  writer.write(0, 1) // overscan_info_present_flag
  writer.write(1, 1) // video_signal_type_present_flag
  writer.write(5, 3) // video_format: unspecified
  writer.write(0, 1) // video_full_range_flag
  writer.write(1, 1) // colour_description_present_flag
  writer.write(6, 8) // colour_primaries: BT.601 (SMPTE 170M)
  writer.write(6, 8) // transfer_characteristics
  writer.write(6, 8) // matrix_coefficients
  writer.write(0, 1) // chroma_loc_info_present_flag
  writer.write(0, 1) // timing_info_present_flag: frames come when something changes
  writer.write(0, 1) // nal_hrd_parameters_present_flag
  writer.write(0, 1) // vcl_hrd_parameters_present_flag
  writer.write(0, 1) // pic_struct_present_flag
  writer.write(1, 1) // bitstream_restriction_flag
  writer.write(1, 1) // motion_vectors_over_pic_boundaries_flag
  writer.writeUnsigned(0) // max_bytes_per_pic_denom: no limit
  writer.writeUnsigned(0) // max_bits_per_mb_denom: no limit
  writer.writeUnsigned(0) // log2_max_mv_length_horizontal: every vector is zero
  writer.writeUnsigned(0) // log2_max_mv_length_vertical
  writer.writeUnsigned(0) // max_num_reorder_frames
  writer.writeUnsigned(1) // max_dec_frame_buffering
}

/** ITU-T H.264 7.3.2.2. */
function writePictureParameterSet(qp: number): Uint8Array {
  const writer = new BitWriter(64)
  writer.writeUnsigned(0) // pic_parameter_set_id
  writer.writeUnsigned(0) // seq_parameter_set_id
  writer.write(0, 1) // entropy_coding_mode_flag: CAVLC
  writer.write(0, 1) // bottom_field_pic_order_in_frame_present_flag
  writer.writeUnsigned(0) // num_slice_groups_minus1
  writer.writeUnsigned(0) // num_ref_idx_l0_default_active_minus1
  writer.writeUnsigned(0) // num_ref_idx_l1_default_active_minus1
  writer.write(0, 1) // weighted_pred_flag
  writer.write(0, 2) // weighted_bipred_idc
  writer.writeSigned(qp - 26) // pic_init_qp_minus26
  writer.writeSigned(0) // pic_init_qs_minus26
  writer.writeSigned(0) // chroma_qp_index_offset
  writer.write(1, 1) // deblocking_filter_control_present_flag
  writer.write(0, 1) // constrained_intra_pred_flag: intra may predict from skipped neighbours
  writer.write(0, 1) // redundant_pic_cnt_present_flag
  return writer.finish()
}
