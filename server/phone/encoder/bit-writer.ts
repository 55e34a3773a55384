/** Writes an RBSP bit by bit, most significant bit first, into a buffer that grows and is reused between pictures. */
export class BitWriter {
  private bytes: Uint8Array
  private position = 0
  private accumulator = 0
  private freeBits = 32

  constructor(capacity = 65_536) {
    this.bytes = new Uint8Array(capacity)
  }

  reset(): void {
    this.position = 0
    this.accumulator = 0
    this.freeBits = 32
  }

  /** Makes room for `bytes` more. The write methods do not check, so that they stay small enough to be inlined. */
  reserve(bytes: number): void {
    const needed = this.position + bytes + 8
    if (needed <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2))
    grown.set(this.bytes)
    this.bytes = grown
  }

  /** u(n): the low `length` bits of `value`; `length` 1 to 32, the bits above must be 0. */
  write(value: number, length: number): void {
    const remaining = this.freeBits - length
    if (remaining > 0) {
      this.freeBits = remaining
      this.accumulator |= value << remaining
      return
    }
    const word = this.accumulator | (value >>> -remaining)
    const { bytes, position } = this
    bytes[position] = word >>> 24
    bytes[position + 1] = word >>> 16
    bytes[position + 2] = word >>> 8
    bytes[position + 3] = word
    this.position = position + 4
    this.freeBits = 32 + remaining
    // Shifting by 32 would shift by 0: nothing is left over then.
    this.accumulator = remaining === 0 ? 0 : value << (32 + remaining)
  }

  /** ue(v), ITU-T H.264 9.1: Exp-Golomb, `value` 0 to 65534. */
  writeUnsigned(value: number): void {
    const code = value + 1
    this.write(code, 63 - 2 * Math.clz32(code))
  }

  /** se(v), ITU-T H.264 9.1.1: 0, 1, -1, 2, -2, ... */
  writeSigned(value: number): void {
    this.writeUnsigned(value > 0 ? 2 * value - 1 : -2 * value)
  }

  /** Bits written since the last reset. */
  get bitLength(): number {
    return this.position * 8 + 32 - this.freeBits
  }

  /** Takes back everything after the first `bitLength` bits. */
  rewind(bitLength: number): void {
    const position = (bitLength >> 5) << 2
    const keptBits = bitLength & 31
    if (position < this.position) {
      const { bytes } = this
      this.accumulator =
        (bytes[position]! << 24) | (bytes[position + 1]! << 16) | (bytes[position + 2]! << 8) | bytes[position + 3]!
      this.position = position
    }
    // Shifting by 32 would shift by 0: nothing is kept then.
    this.accumulator = keptBits === 0 ? 0 : this.accumulator & (-1 << (32 - keptBits))
    this.freeBits = 32 - keptBits
  }

  /** Zero bits up to the next byte boundary. */
  align(): void {
    const missing = this.freeBits & 7
    if (missing > 0) this.write(0, missing)
  }

  /** rbsp_trailing_bits, then the finished RBSP: a view that the next `reset` invalidates. */
  finish(): Uint8Array {
    this.reserve(8)
    this.write(1, 1)
    const byteLength = (this.bitLength + 7) >> 3
    for (let index = this.position, shift = 24; index < byteLength; index++, shift -= 8) {
      this.bytes[index] = this.accumulator >>> shift
    }
    return this.bytes.subarray(0, byteLength)
  }
}
