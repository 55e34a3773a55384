/** nal_unit_type values of ITU-T H.264 table 7-1 that a baseline encoder needs. */
export const nalUnitType = { slice: 1, idrSlice: 5, sequenceParameterSet: 7, pictureParameterSet: 8 } as const

export type NalUnitType = (typeof nalUnitType)[keyof typeof nalUnitType]

const headerBytes = 5

/**
 * One Annex-B NAL unit: a 4-byte start code, the NAL header with the highest nal_ref_idc, and the RBSP with emulation
 * prevention (a 3 before a byte <= 3 that follows two zeros; ITU-T H.264 7.4.1.1). Returns fresh bytes.
 */
export function wrapNalUnit(type: NalUnitType, rbsp: Uint8Array): Uint8Array {
  const escapes = countEscapes(rbsp)
  const bytes = new Uint8Array(headerBytes + rbsp.length + escapes)
  bytes[3] = 1
  bytes[4] = (3 << 5) | type
  if (escapes === 0) {
    bytes.set(rbsp, headerBytes)
    return bytes
  }
  let position = headerBytes
  let zeros = 0
  for (let index = 0; index < rbsp.length; index++) {
    const value = rbsp[index]!
    if (zeros === 2 && value <= 3) {
      bytes[position++] = 3
      zeros = 0
    }
    bytes[position++] = value
    zeros = value === 0 ? zeros + 1 : 0
  }
  return bytes
}

function countEscapes(rbsp: Uint8Array): number {
  let escapes = 0
  let zeros = 0
  for (let index = 0; index < rbsp.length; index++) {
    const value = rbsp[index]!
    if (zeros === 2 && value <= 3) {
      escapes++
      zeros = 0
    }
    zeros = value === 0 ? zeros + 1 : 0
  }
  return escapes
}
