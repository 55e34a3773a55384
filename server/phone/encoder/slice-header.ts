import type { BitWriter } from './bit-writer'
import { frameNumBits } from './parameter-sets'

export type SliceHeader = { isKey: boolean; frameNum: number; idrPicId: number }

/**
 * Header of the one slice of a picture, ITU-T H.264 7.3.3: an I slice of an IDR picture or a P slice of a reference
 * picture, with the QP of the PPS and no deblocking.
 */
export function writeSliceHeader(writer: BitWriter, header: SliceHeader): void {
  writer.writeUnsigned(0) // first_mb_in_slice
  writer.writeUnsigned(header.isKey ? 7 : 5) // slice_type: every slice of the picture is I (7) or P (5)
  writer.writeUnsigned(0) // pic_parameter_set_id
  writer.write(header.frameNum, frameNumBits)
  if (header.isKey) {
    writer.writeUnsigned(header.idrPicId)
    writer.write(0, 1) // no_output_of_prior_pics_flag
    writer.write(0, 1) // long_term_reference_flag
  } else {
    writer.write(0, 1) // num_ref_idx_active_override_flag
    writer.write(0, 1) // ref_pic_list_modification_flag_l0
    writer.write(0, 1) // adaptive_ref_pic_marking_mode_flag
  }
  writer.writeSigned(0) // slice_qp_delta
  writer.writeUnsigned(1) // disable_deblocking_filter_idc: reconstruction is prediction plus residual
}
