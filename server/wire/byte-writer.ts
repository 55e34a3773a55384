import { WireError } from '@/server/wire/wire-error'

const encoder = new TextEncoder()

/** Returns the UTF-8 bytes of a text; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Writes fixed-width fields in order into a message of known size. Throws WireError for a value that does not fit. */
export class ByteWriter {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #view: DataView
  readonly #isLittleEndian: boolean
  #position = 0

  constructor(size: number, byteOrder: 'big-endian' | 'little-endian') {
    this.#bytes = new Uint8Array(size)
    this.#view = new DataView(this.#bytes.buffer)
    this.#isLittleEndian = byteOrder === 'little-endian'
  }

  u8(value: number, field: string): this {
    this.#view.setUint8(this.#advance(1), checkInteger(value, 0, 0xff, field))
    return this
  }

  u16(value: number, field: string): this {
    this.#view.setUint16(this.#advance(2), checkInteger(value, 0, 0xffff, field), this.#isLittleEndian)
    return this
  }

  i16(value: number, field: string): this {
    this.#view.setInt16(this.#advance(2), checkInteger(value, -0x8000, 0x7fff, field), this.#isLittleEndian)
    return this
  }

  u32(value: number, field: string): this {
    this.#view.setUint32(this.#advance(4), checkInteger(value, 0, 0xffff_ffff, field), this.#isLittleEndian)
    return this
  }

  i32(value: number, field: string): this {
    this.#view.setInt32(this.#advance(4), checkInteger(value, -0x8000_0000, 0x7fff_ffff, field), this.#isLittleEndian)
    return this
  }

  u64(value: bigint, field: string): this {
    if (BigInt.asUintN(64, value) !== value) throw new WireError(`${field} ${value} is not an unsigned 64-bit integer`)
    this.#view.setBigUint64(this.#advance(8), value, this.#isLittleEndian)
    return this
  }

  i64(value: bigint, field: string): this {
    if (BigInt.asIntN(64, value) !== value) throw new WireError(`${field} ${value} is not a signed 64-bit integer`)
    this.#view.setBigInt64(this.#advance(8), value, this.#isLittleEndian)
    return this
  }

  bytes(value: Uint8Array): this {
    this.#bytes.set(value, this.#advance(value.length))
    return this
  }

  /** The message. Throws WireError unless exactly its size was written. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#position !== this.#bytes.length) {
      throw new WireError(`message of ${this.#bytes.length} bytes has only ${this.#position} written`)
    }
    return this.#bytes
  }

  #advance(count: number): number {
    const start = this.#position
    if (start + count > this.#bytes.length) {
      throw new WireError(`field of ${count} bytes at ${start} does not fit a message of ${this.#bytes.length} bytes`)
    }
    this.#position += count
    return start
  }
}

function checkInteger(value: number, minimum: number, maximum: number, field: string): number {
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw new WireError(`${field} ${value} is not an integer from ${minimum} to ${maximum}`)
  }
  return value
}
