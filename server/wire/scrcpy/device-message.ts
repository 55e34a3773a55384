import type { ByteQueue } from '@/server/wire/byte-queue'
import { ByteReader } from '@/server/wire/byte-reader'
import { ByteWriter, encodeUtf8 } from '@/server/wire/byte-writer'
import { StreamParser } from '@/server/wire/stream-parser'
import { WireError } from '@/server/wire/wire-error'

/** Messages from device to client on the control socket (upstream `DeviceMessageWriter`). Big-endian. */
export type DeviceMessage =
  | { type: 'clipboard'; text: string }
  | { type: 'ack-clipboard'; sequence: bigint }
  | { type: 'uhid-output'; id: number; data: Uint8Array }

/** A whole message is at most 256 KiB. */
const maxBytes = 262_144

/** Returns the bytes of one message. Throws WireError for a text or data that does not fit. */
export function encodeDeviceMessage(message: DeviceMessage): Uint8Array<ArrayBuffer> {
  switch (message.type) {
    case 'clipboard': {
      const text = encodeUtf8(message.text)
      checkSize(5 + text.length)
      return new ByteWriter(5 + text.length, 'big-endian')
        .u8(0, 'type')
        .u32(text.length, 'clipboard length')
        .bytes(text)
        .finish()
    }
    case 'ack-clipboard':
      return new ByteWriter(9, 'big-endian').u8(1, 'type').u64(message.sequence, 'clipboard sequence').finish()
    case 'uhid-output':
      return new ByteWriter(5 + message.data.length, 'big-endian')
        .u8(2, 'type')
        .u16(message.id, 'uhid id')
        .u16(message.data.length, 'uhid output length')
        .bytes(message.data)
        .finish()
    default:
      throw new WireError(`unknown device message ${JSON.stringify(message satisfies never)}`)
  }
}

/** Reads messages on the client's side. Throws WireError on an unknown type and on a text over 256 KiB. */
export class DeviceMessageParser extends StreamParser<DeviceMessage> {
  constructor() {
    super(readDeviceMessage)
  }
}

function readDeviceMessage(queue: ByteQueue): DeviceMessage | undefined {
  const type = queue.peek(1)?.[0]
  switch (type) {
    case undefined:
      return undefined
    case 0: {
      const head = queue.peek(5)
      if (head === undefined) return undefined
      const length = new ByteReader(head.subarray(1), 'big-endian').u32()
      checkSize(5 + length)
      const bytes = queue.take(5 + length)
      return bytes && { type: 'clipboard', text: new ByteReader(bytes.subarray(5), 'big-endian').utf8(length) }
    }
    case 1: {
      const bytes = queue.take(9)
      return bytes && { type: 'ack-clipboard', sequence: new ByteReader(bytes.subarray(1), 'big-endian').u64() }
    }
    case 2: {
      const head = queue.peek(5)
      if (head === undefined) return undefined
      const reader = new ByteReader(head.subarray(1), 'big-endian')
      const id = reader.u16()
      const bytes = queue.take(5 + reader.u16())
      return bytes && { type: 'uhid-output', id, data: bytes.subarray(5) }
    }
    default:
      throw new WireError(`unknown device message type ${type}`)
  }
}

function checkSize(bytes: number): void {
  if (bytes > maxBytes) throw new WireError(`device message of ${bytes} bytes is over the limit of ${maxBytes}`)
}
