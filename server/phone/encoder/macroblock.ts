import type { BitWriter } from './bit-writer'
import { chromaDcCoeffTokenClass } from './cavlc-tables'
import type { I420Frame } from './i420'
import { predictChroma, predictLuma } from './intra-prediction'
import { chromaQp, createQuantizer, quantizeAc, quantizeDc, zigzag } from './quantization'
import { coeffTokenClass, writeResidualBlock } from './residual-block'
import { addDcResidual, addResidual, hadamard2x2, hadamard4x4, transformResidual } from './transform'

/** mb_type of I_16x16 macroblocks starts at 1 in I slices and at 6 in P slices (ITU-T H.264 tables 7-11 and 7-13). */
export const intraTypeInKeySlice = 1
export const intraTypeInPredictedSlice = 6
/** mb_type of I_PCM, counted from the bases above. */
const pcmType = 24

/** More than any macroblock takes: 400 levels of at most 28 bits, with their tokens, zeros and runs. */
export const maxMacroblockBytes = 2_048

/** No macroblock may be longer than this many bits (ITU-T H.264 A.3.1); beyond, raw samples are shorter. */
const maxMacroblockBits = 3_200

// Block coordinates of luma4x4BlkIdx 0 to 15 (ITU-T H.264 6.4.3).
const blockColumns = new Uint8Array([0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3])
const blockRows = new Uint8Array([0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3])

export type MacroblockCoder = {
  /** Forgets the coefficient counts of the last picture: call before the first macroblock of a picture. */
  beginPicture(): void
  /**
   * Codes macroblock (`column`, `row`) of `source` into the writer and the reconstruction, as Intra16x16 or, should
   * noise make that longer than a macroblock may be, as raw samples.
   * `typeBase` is one of the two constants above.
   */
  codeIntra(source: I420Frame, column: number, row: number, typeBase: number): void
}

/**
 * The coder of one stream's macroblocks: prediction, transform, quantization, reconstruction and syntax
 * (ITU-T H.264 7.3.5) at a fixed `qp`. `reconstruction` is the decoder's picture, updated in place: a macroblock that
 * is not coded keeps its samples, which is just what P_Skip with a zero vector means.
 */
export function createMacroblockCoder(reconstruction: I420Frame, writer: BitWriter, qp: number): MacroblockCoder {
  const lumaStride = reconstruction.codedWidth
  const chromaStride = lumaStride >> 1
  const lumaQuantizer = createQuantizer(qp)
  const chromaQuantizer = createQuantizer(chromaQp(qp))

  // total_coeff of every 4x4 block of the picture, for the contexts of later blocks; 0 where nothing was coded.
  const lumaColumns = reconstruction.codedWidth >> 2
  const chromaColumns = lumaColumns >> 1
  const lumaTotals = new Uint8Array(lumaColumns * (reconstruction.codedHeight >> 2))
  const uTotals = new Uint8Array(lumaTotals.length >> 2)
  const vTotals = new Uint8Array(lumaTotals.length >> 2)

  const block = new Int32Array(16 * 16)
  const hasAc = new Uint8Array(16)
  const lumaDc = new Int32Array(16)
  const chromaDc = new Int32Array(4)
  const lumaDcLevels = new Int16Array(16)
  const lumaAcLevels = new Int16Array(16 * 15)
  const uDcLevels = new Int16Array(4)
  const vDcLevels = new Int16Array(4)
  const uAcLevels = new Int16Array(4 * 15)
  const vAcLevels = new Int16Array(4 * 15)

  function beginPicture(): void {
    lumaTotals.fill(0)
    uTotals.fill(0)
    vTotals.fill(0)
  }

  function codeIntra(source: I420Frame, column: number, row: number, typeBase: number): void {
    const hasLeft = column > 0
    const hasTop = row > 0
    const lumaOffset = row * 16 * lumaStride + column * 16
    const chromaOffset = row * 8 * chromaStride + column * 8
    const { y, u, v } = reconstruction

    const lumaMode = predictLuma(source.y, y, lumaOffset, lumaStride, hasLeft, hasTop)
    const chromaMode = predictChroma(source.u, source.v, u, v, chromaOffset, chromaStride, hasLeft, hasTop)
    const lumaCoded = codeLumaBlocks(source.y, lumaOffset, column, row)
    const uKind = codeChromaBlocks(source.u, u, chromaOffset, column, row, uDcLevels, uAcLevels, uTotals)
    const vKind = codeChromaBlocks(source.v, v, chromaOffset, column, row, vDcLevels, vAcLevels, vTotals)
    const chromaKind = uKind > vKind ? uKind : vKind

    const start = writer.bitLength
    writer.writeUnsigned(typeBase + lumaMode + 4 * chromaKind + (lumaCoded ? 12 : 0))
    writer.writeUnsigned(chromaMode)
    writer.writeSigned(0) // mb_qp_delta
    writeLuma(column, row, lumaCoded)
    writeChroma(column, row, chromaKind)
    if (writer.bitLength - start > maxMacroblockBits) {
      writer.rewind(start)
      writer.writeUnsigned(typeBase + pcmType)
      writePcm(source, column, row)
    }
  }

  /** I_PCM: raw samples. Its blocks count as full in the contexts of later ones. */
  function writePcm(source: I420Frame, column: number, row: number): void {
    writer.align()
    copySamples(source.y, reconstruction.y, row * 16 * lumaStride + column * 16, lumaStride, 16)
    const chromaOffset = row * 8 * chromaStride + column * 8
    copySamples(source.u, reconstruction.u, chromaOffset, chromaStride, 8)
    copySamples(source.v, reconstruction.v, chromaOffset, chromaStride, 8)
    fillTotals(lumaTotals, lumaColumns, column * 4, row * 4, 4)
    fillTotals(uTotals, chromaColumns, column * 2, row * 2, 2)
    fillTotals(vTotals, chromaColumns, column * 2, row * 2, 2)
  }

  function copySamples(source: Uint8Array, plane: Uint8Array, offset: number, stride: number, size: number): void {
    for (let row = 0, at = offset; row < size; row++, at += stride) {
      for (let index = at; index < at + size; index++) {
        const sample = source[index]!
        plane[index] = sample
        writer.write(sample, 8)
      }
    }
  }

  /** Residual and reconstruction of the luma macroblock. Returns whether any AC level is left to write. */
  function codeLumaBlocks(source: Uint8Array, offset: number, column: number, row: number): boolean {
    const plane = reconstruction.y
    let anyAc = 0
    let anyResidual = false
    for (let index = 0; index < 16; index++) {
      const blockColumn = blockColumns[index]!
      const blockRow = blockRows[index]!
      const at = offset + blockRow * 4 * lumaStride + blockColumn * 4
      let total = 0
      if (transformResidual(source, plane, at, lumaStride, block, index * 16)) {
        anyResidual = true
        lumaDc[blockRow * 4 + blockColumn] = block[index * 16]!
        total = quantizeAc(lumaQuantizer, block, index * 16, lumaAcLevels, index * 15)
      } else {
        lumaDc[blockRow * 4 + blockColumn] = 0
        lumaAcLevels.fill(0, index * 15, index * 15 + 15)
      }
      hasAc[index] = total
      anyAc |= total
      lumaTotals[(row * 4 + blockRow) * lumaColumns + column * 4 + blockColumn] = total
    }
    if (!anyResidual) {
      lumaDcLevels.fill(0)
      return false
    }

    hadamard4x4(lumaDc)
    for (let position = 0; position < 16; position++) {
      const raster = zigzag[position]!
      const level = quantizeDc(lumaQuantizer, lumaDc[raster]!, 2)
      lumaDcLevels[position] = level
      lumaDc[raster] = level
    }
    hadamard4x4(lumaDc)
    const dcScale = lumaQuantizer.inverse[0]!
    for (let index = 0; index < 16; index++) {
      const blockColumn = blockColumns[index]!
      const blockRow = blockRows[index]!
      const at = offset + blockRow * 4 * lumaStride + blockColumn * 4
      const dc = (lumaDc[blockRow * 4 + blockColumn]! * dcScale + 2) >> 2
      addBlock(plane, at, lumaStride, index * 16, hasAc[index]!, dc)
    }
    return anyAc !== 0
  }

  /** Residual and reconstruction of one chroma plane's 8x8 block. Returns 0 for no level, 1 for DC only, 2 with AC. */
  function codeChromaBlocks(
    source: Uint8Array,
    plane: Uint8Array,
    offset: number,
    column: number,
    row: number,
    dcLevels: Int16Array,
    acLevels: Int16Array,
    totals: Uint8Array,
  ): number {
    let anyAc = 0
    let anyResidual = false
    for (let index = 0; index < 4; index++) {
      const at = offset + (index >> 1) * 4 * chromaStride + (index & 1) * 4
      let total = 0
      if (transformResidual(source, plane, at, chromaStride, block, index * 16)) {
        anyResidual = true
        chromaDc[index] = block[index * 16]!
        total = quantizeAc(chromaQuantizer, block, index * 16, acLevels, index * 15)
      } else {
        chromaDc[index] = 0
        acLevels.fill(0, index * 15, index * 15 + 15)
      }
      hasAc[index] = total
      anyAc |= total
      totals[(row * 2 + (index >> 1)) * chromaColumns + column * 2 + (index & 1)] = total
    }
    if (!anyResidual) {
      dcLevels.fill(0)
      return 0
    }

    hadamard2x2(chromaDc)
    let anyDc = 0
    for (let index = 0; index < 4; index++) {
      const level = quantizeDc(chromaQuantizer, chromaDc[index]!, 1)
      dcLevels[index] = level
      chromaDc[index] = level
      anyDc |= level
    }
    hadamard2x2(chromaDc)
    const dcScale = chromaQuantizer.inverse[0]!
    for (let index = 0; index < 4; index++) {
      const at = offset + (index >> 1) * 4 * chromaStride + (index & 1) * 4
      addBlock(plane, at, chromaStride, index * 16, hasAc[index]!, (chromaDc[index]! * dcScale) >> 1)
    }
    if (anyAc !== 0) return 2
    return anyDc !== 0 ? 1 : 0
  }

  function addBlock(plane: Uint8Array, at: number, stride: number, first: number, acTotal: number, dc: number): void {
    if (acTotal === 0) {
      addDcResidual(plane, at, stride, dc)
    } else {
      block[first] = dc
      addResidual(plane, at, stride, block, first)
    }
  }

  function writeLuma(column: number, row: number, isCoded: boolean): void {
    const firstColumn = column * 4
    const firstRow = row * 4
    const dcContext = contextOf(lumaTotals, lumaColumns, firstColumn, firstRow)
    writeResidualBlock(writer, lumaDcLevels, 0, 16, coeffTokenClass(dcContext))
    if (!isCoded) return
    for (let index = 0; index < 16; index++) {
      const context = contextOf(
        lumaTotals,
        lumaColumns,
        firstColumn + blockColumns[index]!,
        firstRow + blockRows[index]!,
      )
      writeResidualBlock(writer, lumaAcLevels, index * 15, 15, coeffTokenClass(context))
    }
  }

  function writeChroma(column: number, row: number, kind: number): void {
    if (kind === 0) return
    writeResidualBlock(writer, uDcLevels, 0, 4, chromaDcCoeffTokenClass)
    writeResidualBlock(writer, vDcLevels, 0, 4, chromaDcCoeffTokenClass)
    if (kind === 1) return
    writeChromaAc(uTotals, uAcLevels, column * 2, row * 2)
    writeChromaAc(vTotals, vAcLevels, column * 2, row * 2)
  }

  function writeChromaAc(totals: Uint8Array, levels: Int16Array, firstColumn: number, firstRow: number): void {
    for (let index = 0; index < 4; index++) {
      const context = contextOf(totals, chromaColumns, firstColumn + (index & 1), firstRow + (index >> 1))
      writeResidualBlock(writer, levels, index * 15, 15, coeffTokenClass(context))
    }
  }

  return { beginPicture, codeIntra }
}

function fillTotals(totals: Uint8Array, columns: number, column: number, row: number, size: number): void {
  for (let index = row; index < row + size; index++) {
    totals.fill(16, index * columns + column, index * columns + column + size)
  }
}

/** nC, ITU-T H.264 9.2.1: the mean, rounded up, of the left and upper blocks' total_coeff that exist. */
function contextOf(totals: Uint8Array, columns: number, column: number, row: number): number {
  const at = row * columns + column
  if (column === 0) return row === 0 ? 0 : totals[at - columns]!
  if (row === 0) return totals[at - 1]!
  return (totals[at - 1]! + totals[at - columns]! + 1) >> 1
}
