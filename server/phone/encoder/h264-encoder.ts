import { BitWriter } from './bit-writer'
import { createI420Frame, writeRgbaIntoI420 } from './i420'
import type { I420Frame, Rect } from './i420'
import { createMacroblockCoder, intraTypeInKeySlice, intraTypeInPredictedSlice, maxMacroblockBytes } from './macroblock'
import { nalUnitType, wrapNalUnit } from './nal-unit'
import { frameNumBits, writeConfiguration } from './parameter-sets'
import { writeSliceHeader } from './slice-header'

/** Low enough for 40 dB and more on user interfaces, high enough for about 50 kB a full 540x1200 picture. */
const defaultQp = 22

export type EncodeOptions = {
  /** Asks for an IDR picture. The first picture is one anyway. */
  isKey: boolean
  /** Where the source may differ from the last one given; absent means anywhere. Ignored for an IDR picture. */
  damage?: readonly Rect[]
}

export type EncodedFrame = {
  /** Annex-B access unit of one slice, without parameter sets; fresh bytes that the caller may keep. */
  data: Uint8Array
  isKey: boolean
}

export type H264Encoder = {
  /** SPS and PPS as Annex-B with 4-byte start codes, known before the first picture. */
  readonly configuration: Uint8Array
  /** Encodes the next picture; `frame` may be changed and passed again. Throws RangeError when its size is another. */
  encode(frame: I420Frame, options: EncodeOptions): EncodedFrame
  /** What a decoder shows for the last picture, bit for bit: a view that the next `encode` overwrites. */
  reconstruction(): I420Frame
}

/**
 * A constrained baseline H.264 encoder (`avc1.42C01F`, ITU-T H.264) for screens, where most of a picture repeats the
 * last one. A macroblock whose source is unchanged becomes P_Skip, any other Intra16x16 at the fixed `qp` (12 to 51).
 * Throws RangeError for an odd size, one beyond level 3.1, or a bad `qp`.
 */
export function createH264Encoder(settings: { width: number; height: number; qp?: number }): H264Encoder {
  const { width, height, qp = defaultQp } = settings
  const reconstruction = createI420Frame(width, height)
  const previousSource = createI420Frame(width, height)
  const writer = new BitWriter()
  const coder = createMacroblockCoder(reconstruction, writer, qp)
  const configuration = writeConfiguration(reconstruction, qp)
  const columns = reconstruction.codedWidth / 16
  const rows = reconstruction.codedHeight / 16
  const mayDiffer = new Uint8Array(columns * rows)
  const frameNumMask = (1 << frameNumBits) - 1
  let hasPrevious = false
  let frameNum = 0
  let idrPicId = 0

  function encode(frame: I420Frame, options: EncodeOptions): EncodedFrame {
    if (frame.width !== width || frame.height !== height) {
      throw new RangeError(`This encoder takes ${width}x${height} frames, got ${frame.width}x${frame.height}.`)
    }
    const isKey = options.isKey || !hasPrevious
    writer.reset()
    coder.beginPicture()
    if (isKey) {
      // Two IDR pictures in a row must carry different ids, or a decoder takes them for one.
      idrPicId = 1 - idrPicId
      frameNum = 0
    } else {
      frameNum = (frameNum + 1) & frameNumMask
    }
    writeSliceHeader(writer, { isKey, frameNum, idrPicId })
    if (isKey) encodeKeyPicture(frame)
    else encodeChanges(frame, options.damage)
    hasPrevious = true
    return { data: wrapNalUnit(isKey ? nalUnitType.idrSlice : nalUnitType.slice, writer.finish()), isKey }
  }

  function encodeKeyPicture(frame: I420Frame): void {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        writer.reserve(maxMacroblockBytes)
        coder.codeIntra(frame, column, row, intraTypeInKeySlice)
      }
    }
    previousSource.y.set(frame.y)
    previousSource.u.set(frame.u)
    previousSource.v.set(frame.v)
  }

  function encodeChanges(frame: I420Frame, damage: readonly Rect[] | undefined): void {
    markDamage(damage)
    let skipRun = 0
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        if (mayDiffer[row * columns + column] === 0 || !takeChange(frame, previousSource, column, row)) {
          skipRun++
          continue
        }
        writer.reserve(maxMacroblockBytes)
        writer.writeUnsigned(skipRun)
        skipRun = 0
        coder.codeIntra(frame, column, row, intraTypeInPredictedSlice)
      }
    }
    if (skipRun > 0) writer.writeUnsigned(skipRun)
  }

  function markDamage(damage: readonly Rect[] | undefined): void {
    mayDiffer.fill(damage === undefined ? 1 : 0)
    for (const rect of damage ?? []) {
      if (rect.width <= 0 || rect.height <= 0) continue
      const firstColumn = Math.max(0, Math.floor(rect.x / 16))
      const lastColumn = Math.min(columns, Math.ceil((rect.x + rect.width) / 16))
      const firstRow = Math.max(0, Math.floor(rect.y / 16))
      const lastRow = Math.min(rows, Math.ceil((rect.y + rect.height) / 16))
      if (firstColumn >= lastColumn) continue
      for (let row = firstRow; row < lastRow; row++) {
        mayDiffer.fill(1, row * columns + firstColumn, row * columns + lastColumn)
      }
    }
  }

  return { configuration, encode, reconstruction: () => reconstruction }
}

/** Brings `previous` up to `source` in one macroblock; returns whether anything differed. */
function takeChange(source: I420Frame, previous: I420Frame, column: number, row: number): boolean {
  const stride = source.codedWidth
  const chromaStride = stride >> 1
  const lumaOffset = row * 16 * stride + column * 16
  const chromaOffset = row * 8 * chromaStride + column * 8
  const lumaChanged = takeBlockChange(source.y, previous.y, lumaOffset, stride, 16)
  const uChanged = takeBlockChange(source.u, previous.u, chromaOffset, chromaStride, 8)
  const vChanged = takeBlockChange(source.v, previous.v, chromaOffset, chromaStride, 8)
  return lumaChanged || uChanged || vChanged
}

function takeBlockChange(
  source: Uint8Array,
  previous: Uint8Array,
  offset: number,
  stride: number,
  size: number,
): boolean {
  let hasChanged = false
  for (let row = 0, at = offset; row < size; row++, at += stride) {
    let difference = 0
    for (let index = at; index < at + size; index++) difference |= source[index]! ^ previous[index]!
    if (difference !== 0) {
      hasChanged = true
      for (let index = at; index < at + size; index++) previous[index] = source[index]!
    }
  }
  return hasChanged
}

/**
 * Runs the encoder on small pictures until its loops are compiled, so that the first real IDR picture does not take
 * four times its usual time. Call once while a process boots; takes a few hundred milliseconds.
 */
export function warmUp(): void {
  const width = 192
  const height = 320
  const whole = { x: 0, y: 0, width, height }
  const rgba = new Uint8ClampedArray(width * height * 4)
  const frame = createI420Frame(width, height)
  let noise = 1
  // Several encoders: code compiled for the functions of one alone would be thrown away for the next.
  for (let round = 0; round < 4; round++) {
    const encoder = createH264Encoder({ width, height })
    for (let picture = 0; picture < 6; picture++) {
      // Half flat surfaces, half text-like edges: both paths of every decision get warm.
      for (let index = 0; index < rgba.length; index++) {
        noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0
        rgba[index] = (index >> 8) & 1 ? 200 : noise >>> 30 === 0 ? 40 : 235
      }
      writeRgbaIntoI420(frame, rgba, whole)
      encoder.encode(frame, { isKey: picture % 3 === 0 })
      encoder.encode(frame, { isKey: false, damage: [{ x: 0, y: 0, width: 64, height: 64 }] })
      encoder.encode(frame, { isKey: false })
    }
  }
}
