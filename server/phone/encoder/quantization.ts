/** Zig-zag scan of a 4x4 block: scan position to raster index (ITU-T H.264 8.5.6). */
export const zigzag = new Uint8Array([0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15])

/** Quantization of one plane kind at one QP. Tables have one entry per raster position. */
export type Quantizer = {
  /** Multiplier of the forward direction: 2^15 over step size and transform norm. */
  forward: Int32Array
  /** LevelScale / 16 shifted by qp / 6: a level times this is the scaled coefficient. */
  inverse: Int32Array
  shift: number
  /** A third of a step: intra blocks look best with a dead zone this wide. */
  rounding: number
}

/** Below, a level could exceed what baseline CAVLC can code (2063) and the scaling of DC would need rounding. */
const minQp = 12
const maxQp = 51

// Values for raster positions with both coordinates even, both odd, and mixed, by qp % 6.
const forwardByRemainder = [
  [13107, 5243, 8066],
  [11916, 4660, 7490],
  [10082, 4194, 6554],
  [9362, 3647, 5825],
  [8192, 3355, 5243],
  [7282, 2893, 4559],
] as const
const inverseByRemainder = [
  [10, 16, 13],
  [11, 18, 14],
  [13, 20, 16],
  [14, 23, 18],
  [16, 25, 20],
  [18, 29, 23],
] as const

/** QPc for luma QP 30 to 51, ITU-T H.264 table 8-15. */
const chromaQpFrom30 = [29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39] as const

/** Chroma QP for a luma QP with chroma_qp_index_offset 0. */
export function chromaQp(qp: number): number {
  return chromaQpFrom30[qp - 30] ?? qp
}

/** Throws RangeError unless `qp` is an integer of 12 to 51. */
export function createQuantizer(qp: number): Quantizer {
  const forwardRow = forwardByRemainder[qp % 6]
  const inverseRow = inverseByRemainder[qp % 6]
  if (!Number.isInteger(qp) || qp < minQp || qp > maxQp || !forwardRow || !inverseRow) {
    throw new RangeError(`The quantization parameter must be an integer of ${minQp} to ${maxQp}, got ${qp}.`)
  }
  const scale = Math.floor(qp / 6)
  const shift = 15 + scale
  const forward = new Int32Array(16)
  const inverse = new Int32Array(16)
  for (let index = 0; index < 16; index++) {
    const oddCount = (index & 1) + ((index >> 2) & 1)
    const kind = oddCount === 0 ? 0 : oddCount === 2 ? 1 : 2
    forward[index] = forwardRow[kind]
    inverse[index] = inverseRow[kind] << scale
  }
  return { forward, inverse, shift, rounding: Math.floor((1 << shift) / 3) }
}

/**
 * Quantizes the 15 AC coefficients of a block: levels in scan order go to `levels[firstLevel...]`, the scaled values
 * back into `coefficients`. Returns how many levels are not zero.
 */
export function quantizeAc(
  quantizer: Quantizer,
  coefficients: Int32Array,
  first: number,
  levels: Int16Array,
  firstLevel: number,
): number {
  const { forward, inverse, shift, rounding } = quantizer
  let nonZero = 0
  for (let position = 1; position < 16; position++) {
    const index = zigzag[position]!
    const coefficient = coefficients[first + index]!
    const magnitude = coefficient < 0 ? -coefficient : coefficient
    let level = (magnitude * forward[index]! + rounding) >> shift
    if (level !== 0) {
      nonZero++
      if (coefficient < 0) level = -level
      coefficients[first + index] = level * inverse[index]!
    } else {
      coefficients[first + index] = 0
    }
    levels[firstLevel + position - 1] = level
  }
  return nonZero
}

/** Level of a Hadamard-transformed DC; `gainBits` is log2 of what the Hadamard adds over an orthogonal transform. */
export function quantizeDc(quantizer: Quantizer, coefficient: number, gainBits: number): number {
  const magnitude = coefficient < 0 ? -coefficient : coefficient
  const level = (magnitude * quantizer.forward[0]! + (quantizer.rounding << gainBits)) >> (quantizer.shift + gainBits)
  return coefficient < 0 ? -level : level
}
