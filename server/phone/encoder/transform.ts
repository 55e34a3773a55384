// The 4x4 integer transforms of ITU-T H.264 8.5. Blocks are 16 coefficients in raster order.

/**
 * Forward transform of `source - prediction` for one 4x4 block; both planes share offset and stride. Returns false when
 * the residual, and so every coefficient, is zero: on a user interface that is most of the time.
 */
export function transformResidual(
  source: Uint8Array,
  prediction: Uint8Array,
  offset: number,
  stride: number,
  coefficients: Int32Array,
  first: number,
): boolean {
  let seen = 0
  for (let row = 0, at = offset, to = first; row < 4; row++, at += stride, to += 4) {
    const d0 = source[at]! - prediction[at]!
    const d1 = source[at + 1]! - prediction[at + 1]!
    const d2 = source[at + 2]! - prediction[at + 2]!
    const d3 = source[at + 3]! - prediction[at + 3]!
    seen |= d0 | d1 | d2 | d3
    const outerSum = d0 + d3
    const innerSum = d1 + d2
    const innerDifference = d1 - d2
    const outerDifference = d0 - d3
    coefficients[to] = outerSum + innerSum
    coefficients[to + 1] = 2 * outerDifference + innerDifference
    coefficients[to + 2] = outerSum - innerSum
    coefficients[to + 3] = outerDifference - 2 * innerDifference
  }
  if (seen === 0) return false
  for (let column = first; column < first + 4; column++) {
    const c0 = coefficients[column]!
    const c1 = coefficients[column + 4]!
    const c2 = coefficients[column + 8]!
    const c3 = coefficients[column + 12]!
    const outerSum = c0 + c3
    const innerSum = c1 + c2
    const innerDifference = c1 - c2
    const outerDifference = c0 - c3
    coefficients[column] = outerSum + innerSum
    coefficients[column + 4] = 2 * outerDifference + innerDifference
    coefficients[column + 8] = outerSum - innerSum
    coefficients[column + 12] = outerDifference - 2 * innerDifference
  }
  return true
}

/** Inverse transform of one block of scaled coefficients (8.5.12.2), added to the prediction that `plane` holds. */
export function addResidual(
  plane: Uint8Array,
  offset: number,
  stride: number,
  coefficients: Int32Array,
  first: number,
): void {
  for (let row = first; row < first + 16; row += 4) {
    const c0 = coefficients[row]!
    const c1 = coefficients[row + 1]!
    const c2 = coefficients[row + 2]!
    const c3 = coefficients[row + 3]!
    const evenSum = c0 + c2
    const evenDifference = c0 - c2
    const oddDifference = (c1 >> 1) - c3
    const oddSum = c1 + (c3 >> 1)
    coefficients[row] = evenSum + oddSum
    coefficients[row + 1] = evenDifference + oddDifference
    coefficients[row + 2] = evenDifference - oddDifference
    coefficients[row + 3] = evenSum - oddSum
  }
  const stride2 = 2 * stride
  for (let column = 0; column < 4; column++) {
    const c0 = coefficients[first + column]!
    const c1 = coefficients[first + column + 4]!
    const c2 = coefficients[first + column + 8]!
    const c3 = coefficients[first + column + 12]!
    const evenSum = c0 + c2 + 32
    const evenDifference = c0 - c2 + 32
    const oddDifference = (c1 >> 1) - c3
    const oddSum = c1 + (c3 >> 1)
    const at = offset + column
    plane[at] = clip(plane[at]! + ((evenSum + oddSum) >> 6))
    plane[at + stride] = clip(plane[at + stride]! + ((evenDifference + oddDifference) >> 6))
    plane[at + stride2] = clip(plane[at + stride2]! + ((evenDifference - oddDifference) >> 6))
    plane[at + stride2 + stride] = clip(plane[at + stride2 + stride]! + ((evenSum - oddSum) >> 6))
  }
}

/** `addResidual` for a block whose only coefficient is the scaled DC. */
export function addDcResidual(plane: Uint8Array, offset: number, stride: number, dc: number): void {
  const residual = (dc + 32) >> 6
  if (residual === 0) return
  for (let row = 0, at = offset; row < 4; row++, at += stride) {
    plane[at] = clip(plane[at]! + residual)
    plane[at + 1] = clip(plane[at + 1]! + residual)
    plane[at + 2] = clip(plane[at + 2]! + residual)
    plane[at + 3] = clip(plane[at + 3]! + residual)
  }
}

function clip(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value
}

/** 4x4 Hadamard transform in place, unscaled; its own inverse up to a factor of 16 (8.5.10). */
export function hadamard4x4(values: Int32Array): void {
  for (let row = 0; row < 16; row += 4) butterfly(values, row, 1)
  for (let column = 0; column < 4; column++) butterfly(values, column, 4)
}

function butterfly(values: Int32Array, first: number, step: number): void {
  const v0 = values[first]!
  const v1 = values[first + step]!
  const v2 = values[first + 2 * step]!
  const v3 = values[first + 3 * step]!
  const leftSum = v0 + v1
  const leftDifference = v0 - v1
  const rightSum = v2 + v3
  const rightDifference = v2 - v3
  values[first] = leftSum + rightSum
  values[first + step] = leftSum - rightSum
  values[first + 2 * step] = leftDifference - rightDifference
  values[first + 3 * step] = leftDifference + rightDifference
}

/** 2x2 Hadamard transform in place, unscaled (8.5.11.1). */
export function hadamard2x2(values: Int32Array): void {
  const v0 = values[0]!
  const v1 = values[1]!
  const v2 = values[2]!
  const v3 = values[3]!
  values[0] = v0 + v1 + v2 + v3
  values[1] = v0 - v1 + v2 - v3
  values[2] = v0 + v1 - v2 - v3
  values[3] = v0 - v1 - v2 + v3
}
