/** Intra16x16PredMode, ITU-T H.264 table 8-4. */
const lumaVertical = 0
const lumaHorizontal = 1
const lumaDc = 2
/** intra_chroma_pred_mode, ITU-T H.264 table 7-16. */
const chromaDc = 0
const chromaHorizontal = 1
const chromaVertical = 2

const top = new Uint8Array(16)
const left = new Uint8Array(16)
/** Sums of absolute differences by chroma mode, both chroma planes together. */
const chromaDifferences = new Int32Array(3)
const quadrantDc = new Int32Array(4)

/**
 * Picks vertical, horizontal or DC for a 16x16 luma macroblock by the sum of absolute differences against the source,
 * writes the prediction into `plane` at `offset` (neighbours there are already reconstructed) and returns
 * Intra16x16PredMode.
 */
export function predictLuma(
  source: Uint8Array,
  plane: Uint8Array,
  offset: number,
  stride: number,
  hasLeft: boolean,
  hasTop: boolean,
): number {
  readNeighbours(plane, offset, stride, 16, hasLeft, hasTop)
  const dc = averageNeighbours(0, 16, 0, 16, hasLeft, hasTop)
  let verticalDifference = 0
  let horizontalDifference = 0
  let dcDifference = 0
  for (let row = 0, at = offset; row < 16; row++, at += stride) {
    const leftSample = left[row]!
    for (let column = 0; column < 16; column++) {
      const sample = source[at + column]!
      verticalDifference += Math.abs(sample - top[column]!)
      horizontalDifference += Math.abs(sample - leftSample)
      dcDifference += Math.abs(sample - dc)
    }
  }
  // On a tie the cheaper mb_type wins: vertical, horizontal, DC.
  let mode = lumaDc
  let best = dcDifference
  if (hasLeft && horizontalDifference <= best) {
    mode = lumaHorizontal
    best = horizontalDifference
  }
  if (hasTop && verticalDifference <= best) mode = lumaVertical
  if (mode === lumaVertical) fillVertical(plane, offset, stride, 16)
  else if (mode === lumaHorizontal) fillHorizontal(plane, offset, stride, 16)
  else fillBlock(plane, offset, stride, 16, dc)
  return mode
}

/** The same for both 8x8 chroma blocks, which share their mode. Returns intra_chroma_pred_mode. */
export function predictChroma(
  sourceU: Uint8Array,
  sourceV: Uint8Array,
  planeU: Uint8Array,
  planeV: Uint8Array,
  offset: number,
  stride: number,
  hasLeft: boolean,
  hasTop: boolean,
): number {
  chromaDifferences.fill(0)
  measureChroma(sourceU, planeU, offset, stride, hasLeft, hasTop)
  measureChroma(sourceV, planeV, offset, stride, hasLeft, hasTop)
  let mode = chromaDc
  if (hasLeft && chromaDifferences[chromaHorizontal]! < chromaDifferences[mode]!) mode = chromaHorizontal
  if (hasTop && chromaDifferences[chromaVertical]! < chromaDifferences[mode]!) mode = chromaVertical
  fillChroma(planeU, offset, stride, mode, hasLeft, hasTop)
  fillChroma(planeV, offset, stride, mode, hasLeft, hasTop)
  return mode
}

function measureChroma(
  source: Uint8Array,
  plane: Uint8Array,
  offset: number,
  stride: number,
  hasLeft: boolean,
  hasTop: boolean,
): void {
  readNeighbours(plane, offset, stride, 8, hasLeft, hasTop)
  computeQuadrantDc(hasLeft, hasTop)
  let dcDifference = 0
  let horizontalDifference = 0
  let verticalDifference = 0
  for (let row = 0, at = offset; row < 8; row++, at += stride) {
    const leftSample = left[row]!
    const quadrant = (row >> 2) << 1
    const dcLeft = quadrantDc[quadrant]!
    const dcRight = quadrantDc[quadrant + 1]!
    for (let column = 0; column < 8; column++) {
      const sample = source[at + column]!
      dcDifference += Math.abs(sample - (column < 4 ? dcLeft : dcRight))
      horizontalDifference += Math.abs(sample - leftSample)
      verticalDifference += Math.abs(sample - top[column]!)
    }
  }
  chromaDifferences[chromaDc]! += dcDifference
  chromaDifferences[chromaHorizontal]! += horizontalDifference
  chromaDifferences[chromaVertical]! += verticalDifference
}

function fillChroma(
  plane: Uint8Array,
  offset: number,
  stride: number,
  mode: number,
  hasLeft: boolean,
  hasTop: boolean,
): void {
  readNeighbours(plane, offset, stride, 8, hasLeft, hasTop)
  if (mode === chromaVertical) fillVertical(plane, offset, stride, 8)
  else if (mode === chromaHorizontal) fillHorizontal(plane, offset, stride, 8)
  else {
    computeQuadrantDc(hasLeft, hasTop)
    const below = offset + 4 * stride
    fillBlock(plane, offset, stride, 4, quadrantDc[0]!)
    fillBlock(plane, offset + 4, stride, 4, quadrantDc[1]!)
    fillBlock(plane, below, stride, 4, quadrantDc[2]!)
    fillBlock(plane, below + 4, stride, 4, quadrantDc[3]!)
  }
}

/** DC of the four 4x4 quadrants, ITU-T H.264 8.3.4.1 to 8.3.4.3: the off-diagonal ones prefer one side. */
function computeQuadrantDc(hasLeft: boolean, hasTop: boolean): void {
  quadrantDc[0] = averageNeighbours(0, 4, 0, 4, hasLeft, hasTop)
  quadrantDc[1] = averageNeighbours(4, 8, 0, 4, hasLeft && !hasTop, hasTop)
  quadrantDc[2] = averageNeighbours(0, 4, 4, 8, hasLeft, hasTop && !hasLeft)
  quadrantDc[3] = averageNeighbours(4, 8, 4, 8, hasLeft, hasTop)
}

/** Rounded mean of the neighbours `top[topStart...topEnd]` and `left[leftStart...leftEnd]` that are used; else 128. */
function averageNeighbours(
  topStart: number,
  topEnd: number,
  leftStart: number,
  leftEnd: number,
  useLeft: boolean,
  useTop: boolean,
): number {
  if (!useLeft && !useTop) return 128
  let sum = 0
  let count = 0
  if (useTop) {
    for (let index = topStart; index < topEnd; index++) sum += top[index]!
    count += topEnd - topStart
  }
  if (useLeft) {
    for (let index = leftStart; index < leftEnd; index++) sum += left[index]!
    count += leftEnd - leftStart
  }
  return (sum + (count >> 1)) >> (31 - Math.clz32(count))
}

/** Copies the reconstructed row above and column to the left of a block; stale values stay where there is none. */
function readNeighbours(
  plane: Uint8Array,
  offset: number,
  stride: number,
  size: number,
  hasLeft: boolean,
  hasTop: boolean,
): void {
  if (hasTop) for (let column = 0, at = offset - stride; column < size; column++) top[column] = plane[at + column]!
  if (hasLeft) for (let row = 0, at = offset - 1; row < size; row++, at += stride) left[row] = plane[at]!
}

function fillVertical(plane: Uint8Array, offset: number, stride: number, size: number): void {
  for (let row = 0, at = offset; row < size; row++, at += stride) {
    for (let column = 0; column < size; column++) plane[at + column] = top[column]!
  }
}

function fillHorizontal(plane: Uint8Array, offset: number, stride: number, size: number): void {
  for (let row = 0, at = offset; row < size; row++, at += stride) {
    const sample = left[row]!
    for (let column = 0; column < size; column++) plane[at + column] = sample
  }
}

function fillBlock(plane: Uint8Array, offset: number, stride: number, size: number, value: number): void {
  for (let row = 0, at = offset; row < size; row++, at += stride) {
    for (let column = 0; column < size; column++) plane[at + column] = value
  }
}
