import { WireError } from '@/server/wire/wire-error'

/** NAL unit types Tapline looks at (ITU-T H.264 table 7-1). */
export const nalTypes = { slice: 1, idrSlice: 5, sei: 6, sps: 7, pps: 8, accessUnitDelimiter: 9 } as const

/**
 * Returns the NAL units of an Annex B byte stream as views, without start codes (3 or 4 bytes) and the zeros around
 * them. Throws WireError when the bytes do not begin with a start code; no bytes give no units.
 */
export function splitNalUnits(bytes: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = []
  let code = findStartCode(bytes, 0)
  const leading = bytes.subarray(0, code === -1 ? bytes.length : code)
  if (leading.some((byte) => byte !== 0)) throw new WireError('H.264 bytes do not begin with an Annex B start code')
  while (code !== -1) {
    const start = code + 3
    code = findStartCode(bytes, start)
    let end = code === -1 ? bytes.length : code
    // A NAL unit never ends in 0: such bytes belong to the next start code or are padding.
    while (end > start && bytes[end - 1] === 0) end -= 1
    if (end > start) units.push(bytes.subarray(start, end))
  }
  return units
}

/** Returns the units as an Annex B byte stream with 4-byte start codes. */
export function joinNalUnits(units: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(units.reduce((size, unit) => size + 4 + unit.length, 0))
  let position = 0
  for (const unit of units) {
    bytes[position + 3] = 1
    bytes.set(unit, position + 4)
    position += 4 + unit.length
  }
  return bytes
}

/** Returns nal_unit_type, 0 to 31. Throws WireError for an empty unit. */
export function nalType(unit: Uint8Array): number {
  const header = unit[0]
  if (header === undefined) throw new WireError('H.264 NAL unit is empty')
  return header & 0x1f
}

/** Returns the bytes without the 3 of every `00 00 03` (ITU-T H.264 7.3.1). */
export function removeEmulationPrevention(unit: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(unit.length)
  let length = 0
  let zeros = 0
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    bytes[length++] = byte
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return bytes.slice(0, length)
}

/** Returns the bytes with a 3 put behind every two zeros that a byte of at most 3, or the end, follows. */
export function addEmulationPrevention(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const unit = new Uint8Array(bytes.length + Math.floor(bytes.length / 2))
  let length = 0
  let zeros = 0
  for (const byte of bytes) {
    if (zeros === 2 && byte <= 3) {
      unit[length++] = 3
      zeros = 0
    }
    unit[length++] = byte
    zeros = byte === 0 ? zeros + 1 : 0
  }
  if (zeros === 2) unit[length++] = 3
  return unit.slice(0, length)
}

/** Offset of the next `00 00 01` from `from`, or -1. */
function findStartCode(bytes: Uint8Array, from: number): number {
  let index = from + 2
  while (index < bytes.length) {
    const byte = bytes[index] ?? 0
    if (byte > 1) index += 3
    else if (byte === 0) index += 1
    else if (bytes[index - 1] === 0 && bytes[index - 2] === 0) return index - 2
    else index += 3
  }
  return -1
}
