import { WireError } from '@/server/wire/wire-error'

// A text that starts with U+FEFF keeps it; malformed UTF-8 becomes U+FFFD, as it does on Android.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns the text of UTF-8 bytes; malformed sequences become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Reads fixed-width fields in order from one complete message. Throws WireError past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #isLittleEndian: boolean
  #position = 0

  constructor(bytes: Uint8Array, byteOrder: 'big-endian' | 'little-endian') {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#isLittleEndian = byteOrder === 'little-endian'
  }

  get remaining(): number {
    return this.#bytes.length - this.#position
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1))
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), this.#isLittleEndian)
  }

  i16(): number {
    return this.#view.getInt16(this.#advance(2), this.#isLittleEndian)
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), this.#isLittleEndian)
  }

  i32(): number {
    return this.#view.getInt32(this.#advance(4), this.#isLittleEndian)
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), this.#isLittleEndian)
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), this.#isLittleEndian)
  }

  /** A view of the next `count` bytes. */
  bytes(count: number): Uint8Array {
    const start = this.#advance(count)
    return this.#bytes.subarray(start, start + count)
  }

  utf8(count: number): string {
    return decodeUtf8(this.bytes(count))
  }

  #advance(count: number): number {
    if (count > this.remaining) {
      throw new WireError(`message of ${this.#bytes.length} bytes ends inside a field of ${count} bytes`)
    }
    const start = this.#position
    this.#position += count
    return start
  }
}
