/** A rectangle in pixels of the visible picture. */
export type Rect = { x: number; y: number; width: number; height: number }

/**
 * A planar 4:2:0 picture, BT.601 limited range. `y` has `codedWidth * codedHeight` bytes, `u` and `v` a quarter of it;
 * rows are packed. `codedWidth` and `codedHeight` are `width` and `height` rounded up to macroblocks (16); what lies
 * outside the visible picture repeats its last column and row.
 */
export type I420Frame = {
  width: number
  height: number
  codedWidth: number
  codedHeight: number
  y: Uint8Array
  u: Uint8Array
  v: Uint8Array
}

const macroblockSize = 16

/** A black frame. Throws RangeError unless width and height are positive even integers (4:2:0 cropping needs even). */
export function createI420Frame(width: number, height: number): I420Frame {
  for (const [name, value] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (!Number.isInteger(value) || value <= 0 || value % 2 !== 0) {
      throw new RangeError(`An I420 frame needs an even positive ${name}, got ${value}.`)
    }
  }
  const codedWidth = Math.ceil(width / macroblockSize) * macroblockSize
  const codedHeight = Math.ceil(height / macroblockSize) * macroblockSize
  const lumaBytes = codedWidth * codedHeight
  return {
    width,
    height,
    codedWidth,
    codedHeight,
    y: new Uint8Array(lumaBytes).fill(16),
    u: new Uint8Array(lumaBytes / 4).fill(128),
    v: new Uint8Array(lumaBytes / 4).fill(128),
  }
}

/**
 * The smallest even-aligned rectangle inside a `width` x `height` picture that covers `rect` (fractions allowed).
 * Its width or height is 0 when `rect` lies outside. Chroma samples span 2x2 pixels, hence even.
 */
export function alignRect(rect: Rect, width: number, height: number): Rect {
  const x = clamp(Math.floor(rect.x / 2) * 2, width)
  const y = clamp(Math.floor(rect.y / 2) * 2, height)
  const right = clamp(Math.ceil((rect.x + rect.width) / 2) * 2, width)
  const bottom = clamp(Math.ceil((rect.y + rect.height) / 2) * 2, height)
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) }
}

function clamp(value: number, end: number): number {
  return Math.min(Math.max(value, 0), end)
}

// ITU-R BT.601 R'G'B' -> Y'CbCr, limited range, in 16-bit fixed point. The chroma rows sum to 0, so grey stays grey.
const yFromRed = 16829
const yFromGreen = 33039
const yFromBlue = 6416
const uFromRed = -9714
const uFromGreen = -19070
const uFromBlue = 28784
const vFromRed = 28784
const vFromGreen = -24103
const vFromBlue = -4681
const lumaOffset = (16 << 16) + (1 << 15)
// Chroma works on the sum of four pixels: two more bits of scale.
const chromaOffset = (128 << 18) + (1 << 17)

/**
 * Converts one rectangle of opaque RGBA pixels into the frame; alpha is ignored. `rgba` holds just `rect`, rows packed.
 * `rect` must come from `alignRect`. Edges are repeated into the padding where the rectangle touches them.
 * Throws RangeError when `rect` is not aligned or `rgba` has another length than `rect` needs.
 */
export function writeRgbaIntoI420(frame: I420Frame, rgba: Uint8ClampedArray | Uint8Array, rect: Rect): void {
  checkRect(frame, rgba, rect)
  const { codedWidth, y: lumaPlane, u: uPlane, v: vPlane } = frame
  // A pixel a load instead of a byte a load is a third faster. Red is the low byte: canvases run on little-endian only.
  const { buffer, byteOffset } = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice()
  const pixels = new Uint32Array(buffer, byteOffset, rgba.length >> 2)
  for (let row = 0; row < rect.height; row += 2) {
    let source = row * rect.width
    let luma = (rect.y + row) * codedWidth + rect.x
    let chroma = ((rect.y + row) >> 1) * (codedWidth >> 1) + (rect.x >> 1)
    for (let column = 0; column < rect.width; column += 2) {
      const below = source + rect.width
      const p0 = pixels[source]!
      const p1 = pixels[source + 1]!
      const p2 = pixels[below]!
      const p3 = pixels[below + 1]!
      const red0 = p0 & 255
      const green0 = (p0 >> 8) & 255
      const blue0 = (p0 >> 16) & 255
      const red1 = p1 & 255
      const green1 = (p1 >> 8) & 255
      const blue1 = (p1 >> 16) & 255
      const red2 = p2 & 255
      const green2 = (p2 >> 8) & 255
      const blue2 = (p2 >> 16) & 255
      const red3 = p3 & 255
      const green3 = (p3 >> 8) & 255
      const blue3 = (p3 >> 16) & 255
      lumaPlane[luma] = (yFromRed * red0 + yFromGreen * green0 + yFromBlue * blue0 + lumaOffset) >> 16
      lumaPlane[luma + 1] = (yFromRed * red1 + yFromGreen * green1 + yFromBlue * blue1 + lumaOffset) >> 16
      lumaPlane[luma + codedWidth] = (yFromRed * red2 + yFromGreen * green2 + yFromBlue * blue2 + lumaOffset) >> 16
      lumaPlane[luma + codedWidth + 1] = (yFromRed * red3 + yFromGreen * green3 + yFromBlue * blue3 + lumaOffset) >> 16
      const red = red0 + red1 + red2 + red3
      const green = green0 + green1 + green2 + green3
      const blue = blue0 + blue1 + blue2 + blue3
      uPlane[chroma] = (uFromRed * red + uFromGreen * green + uFromBlue * blue + chromaOffset) >> 18
      vPlane[chroma] = (vFromRed * red + vFromGreen * green + vFromBlue * blue + chromaOffset) >> 18
      source += 2
      luma += 2
      chroma += 1
    }
  }
  repeatEdges(frame, rect)
}

function checkRect(frame: I420Frame, rgba: Uint8ClampedArray | Uint8Array, rect: Rect): void {
  const aligned = alignRect(rect, frame.width, frame.height)
  if (aligned.x !== rect.x || aligned.y !== rect.y || aligned.width !== rect.width || aligned.height !== rect.height) {
    throw new RangeError(
      `The rectangle ${rect.width}x${rect.height}+${rect.x}+${rect.y} is not aligned to even pixels inside ` +
        `${frame.width}x${frame.height}: pass it through alignRect first.`,
    )
  }
  const expectedBytes = rect.width * rect.height * 4
  if (rgba.length !== expectedBytes) {
    throw new RangeError(
      `The RGBA bytes of a ${rect.width}x${rect.height} rectangle are ${expectedBytes}, got ${rgba.length}.`,
    )
  }
}

function repeatEdges(frame: I420Frame, rect: Rect): void {
  if (rect.width === 0 || rect.height === 0) return
  const { width, height, codedWidth, codedHeight } = frame
  repeatPlaneEdges(frame.y, width, height, codedWidth, codedHeight, rect.x, rect.y, rect.width, rect.height)
  for (const plane of [frame.u, frame.v]) {
    repeatPlaneEdges(
      plane,
      width >> 1,
      height >> 1,
      codedWidth >> 1,
      codedHeight >> 1,
      rect.x >> 1,
      rect.y >> 1,
      rect.width >> 1,
      rect.height >> 1,
    )
  }
}

function repeatPlaneEdges(
  plane: Uint8Array,
  width: number,
  height: number,
  codedWidth: number,
  codedHeight: number,
  x: number,
  y: number,
  rectWidth: number,
  rectHeight: number,
): void {
  const touchesRight = x + rectWidth === width
  if (touchesRight) {
    for (let row = y; row < y + rectHeight; row++) {
      const end = row * codedWidth + width
      plane.fill(plane[end - 1]!, end, row * codedWidth + codedWidth)
    }
  }
  if (y + rectHeight === height) {
    const lastRow = (height - 1) * codedWidth
    const start = lastRow + x
    const end = lastRow + (touchesRight ? codedWidth : x + rectWidth)
    for (let row = height; row < codedHeight; row++) plane.copyWithin(row * codedWidth + x, start, end)
  }
}
