import { WireError } from '@/server/wire/wire-error'

/** Reads bits from the most significant on (ITU-T H.264 7.2 and 9.1). Throws WireError past the end. */
export class BitReader {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Bits read so far. */
  get position(): number {
    return this.#position
  }

  bit(): 0 | 1 {
    const byte = this.#bytes[this.#position >> 3]
    if (byte === undefined) throw new WireError(`H.264 bits end after ${this.#bytes.length} bytes`)
    const bit = (byte >> (7 - (this.#position & 7))) & 1
    this.#position += 1
    return bit === 1 ? 1 : 0
  }

  flag(): boolean {
    return this.bit() === 1
  }

  /** u(n), unsigned, `count` up to 32. */
  bits(count: number): number {
    let value = 0
    for (let index = 0; index < count; index += 1) value = value * 2 + this.bit()
    return value
  }

  /** ue(v), unsigned Exp-Golomb, 0 to 2^32 - 2. */
  ue(): number {
    let zeros = 0
    while (this.bit() === 0) {
      zeros += 1
      if (zeros > 31) throw new WireError('H.264 Exp-Golomb code is longer than 63 bits')
    }
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  /** se(v), signed Exp-Golomb. */
  se(): number {
    const code = this.ue()
    if (code === 0) return 0
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2
  }
}

/** Writes bits from the most significant on. */
export class BitWriter {
  readonly #bytes: number[] = []
  #position = 0

  /** Bits written so far. */
  get position(): number {
    return this.#position
  }

  bit(value: 0 | 1): void {
    if ((this.#position & 7) === 0) this.#bytes.push(0)
    const last = this.#bytes.length - 1
    this.#bytes[last] = (this.#bytes[last] ?? 0) | (value << (7 - (this.#position & 7)))
    this.#position += 1
  }

  flag(value: boolean): void {
    this.bit(value ? 1 : 0)
  }

  /** u(n); throws WireError when `value` needs more than `count` (up to 32) bits. */
  bits(value: number, count: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** count) {
      throw new WireError(`${value} does not fit ${count} bits`)
    }
    for (let index = count - 1; index >= 0; index -= 1) this.bit(Math.floor(value / 2 ** index) % 2 === 1 ? 1 : 0)
  }

  /** ue(v); throws WireError outside 0 to 2^32 - 2. */
  ue(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > 2 ** 32 - 2) {
      throw new WireError(`${value} has no unsigned Exp-Golomb code`)
    }
    const length = Math.floor(Math.log2(value + 1))
    this.bits(0, length)
    this.bits(1, 1)
    this.bits(value + 1 - 2 ** length, length)
  }

  /** se(v); throws WireError outside -(2^31 - 1) to 2^31 - 1. */
  se(value: number): void {
    this.ue(value > 0 ? 2 * value - 1 : -2 * value)
  }

  /** rbsp_trailing_bits: a one, then zeros to the end of the byte. */
  trailingBits(): void {
    this.bit(1)
    while ((this.#position & 7) !== 0) this.bit(0)
  }

  /** The bytes; zeros fill the last one. */
  finish(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes)
  }
}
