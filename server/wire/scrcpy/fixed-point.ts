import { WireError } from '@/server/wire/wire-error'

/**
 * Fixed-point numbers of scrcpy's control messages (upstream `app/src/util/binary.h` and `Binary.java`): fractions are
 * cut off, not rounded, and the largest integer stands for exactly 1.
 */

/** 0 to 1 as a u16; values outside are clamped. Throws WireError for NaN. */
export function encodeUnitInterval(value: number, field: string): number {
  return Math.min(0xffff, Math.trunc(clamp(value, 0, 1, field) * 0x1_0000))
}

/** The number from 0 to 1 of a u16. */
export function decodeUnitInterval(fixed: number): number {
  return fixed === 0xffff ? 1 : fixed / 0x1_0000
}

/** Notches from -16 to 16 as an i16; values outside are clamped. Throws WireError for NaN. */
export function encodeScroll(notches: number, field: string): number {
  return Math.min(0x7fff, Math.trunc((clamp(notches, -16, 16, field) / 16) * 0x8000))
}

/** The notches of an i16. */
export function decodeScroll(fixed: number): number {
  return fixed === 0x7fff ? 16 : (fixed / 0x8000) * 16
}

function clamp(value: number, minimum: number, maximum: number, field: string): number {
  if (Number.isNaN(value)) throw new WireError(`${field} is not a number`)
  return Math.min(maximum, Math.max(minimum, value))
}
