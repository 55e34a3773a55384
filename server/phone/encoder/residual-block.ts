import type { BitWriter } from './bit-writer'
import {
  chromaDcCoeffTokenClass,
  chromaDcTotalZerosBits,
  chromaDcTotalZerosLengths,
  coeffTokenBits,
  coeffTokenClassSize,
  coeffTokenLengths,
  runBeforeBits,
  runBeforeLengths,
  totalZerosBits,
  totalZerosLengths,
} from './cavlc-tables'

// Encoding is synchronous, so one set of scratch arrays serves every encoder.
const nonZeroLevels = new Int32Array(16)
const nonZeroPositions = new Int32Array(16)

/** First coeff_token entry for a context `nC` >= 0 (ITU-T H.264 9.2.1). */
export function coeffTokenClass(context: number): number {
  if (context < 2) return 0
  if (context < 4) return coeffTokenClassSize
  if (context < 8) return 2 * coeffTokenClassSize
  return 3 * coeffTokenClassSize
}

/**
 * residual_block_cavlc of ITU-T H.264 7.3.5.3.2: `count` levels in scan order from `levels[offset]`, with the
 * coeff_token class of the block's context, or `chromaDcCoeffTokenClass` (then `count` is 4).
 */
export function writeResidualBlock(
  writer: BitWriter,
  levels: Int16Array,
  offset: number,
  count: number,
  tokenClass: number,
): void {
  let totalCoeff = 0
  for (let position = count - 1; position >= 0; position--) {
    const level = levels[offset + position]!
    if (level !== 0) {
      nonZeroLevels[totalCoeff] = level
      nonZeroPositions[totalCoeff] = position
      totalCoeff++
    }
  }
  if (totalCoeff === 0) {
    writer.write(coeffTokenBits[tokenClass]!, coeffTokenLengths[tokenClass]!)
    return
  }

  let trailingOnes = 0
  let signs = 0
  while (trailingOnes < 3 && trailingOnes < totalCoeff) {
    const level = nonZeroLevels[trailingOnes]!
    if (level !== 1 && level !== -1) break
    signs = (signs << 1) | (level >>> 31)
    trailingOnes++
  }
  const token = tokenClass + 4 * totalCoeff + trailingOnes
  writer.write(coeffTokenBits[token]!, coeffTokenLengths[token]!)
  if (trailingOnes > 0) writer.write(signs, trailingOnes)
  if (trailingOnes < totalCoeff) writeLevels(writer, totalCoeff, trailingOnes)
  if (totalCoeff < count) {
    const totalZeros = nonZeroPositions[0]! + 1 - totalCoeff
    const entry = 16 * (totalCoeff - 1) + totalZeros
    if (tokenClass === chromaDcCoeffTokenClass) {
      writer.write(chromaDcTotalZerosBits[entry]!, chromaDcTotalZerosLengths[entry]!)
    } else {
      writer.write(totalZerosBits[entry]!, totalZerosLengths[entry]!)
    }
    writeRuns(writer, totalCoeff, totalZeros)
  }
}

/** level_prefix and level_suffix, the inverse of ITU-T H.264 9.2.2.1. Magnitudes end at 2063, a 12-bit suffix. */
function writeLevels(writer: BitWriter, totalCoeff: number, trailingOnes: number): void {
  let suffixLength = totalCoeff > 10 && trailingOnes < 3 ? 1 : 0
  for (let index = trailingOnes; index < totalCoeff; index++) {
    const level = nonZeroLevels[index]!
    const magnitude = level < 0 ? -level : level
    let levelCode = 2 * magnitude - (level < 0 ? 1 : 2)
    // With fewer than three trailing ones the first other level cannot be 1 or -1.
    if (index === trailingOnes && trailingOnes < 3) levelCode -= 2
    if (suffixLength === 0) {
      if (levelCode < 14) {
        writer.write(1, levelCode + 1)
      } else if (levelCode < 30) {
        writer.write(16 | (levelCode - 14), 19)
      } else {
        writer.write(4096 | (levelCode - 30), 28)
      }
      suffixLength = 1
    } else {
      const escape = 15 << suffixLength
      if (levelCode < escape) {
        const prefix = levelCode >> suffixLength
        const suffix = levelCode & ((1 << suffixLength) - 1)
        writer.write((1 << suffixLength) | suffix, prefix + 1 + suffixLength)
      } else {
        writer.write(4096 | (levelCode - escape), 28)
      }
    }
    if (suffixLength < 6 && magnitude > 3 << (suffixLength - 1)) suffixLength++
  }
}

function writeRuns(writer: BitWriter, totalCoeff: number, totalZeros: number): void {
  let zerosLeft = totalZeros
  for (let index = 0; index < totalCoeff - 1 && zerosLeft > 0; index++) {
    const run = nonZeroPositions[index]! - nonZeroPositions[index + 1]! - 1
    const entry = 15 * ((zerosLeft < 7 ? zerosLeft : 7) - 1) + run
    writer.write(runBeforeBits[entry]!, runBeforeLengths[entry]!)
    zerosLeft -= run
  }
}
