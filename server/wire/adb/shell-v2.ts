import type { ByteQueue } from '@/server/wire/byte-queue'
import { ByteReader } from '@/server/wire/byte-reader'
import { ByteWriter } from '@/server/wire/byte-writer'
import { StreamParser } from '@/server/wire/stream-parser'
import { WireError } from '@/server/wire/wire-error'

/** Packet ids of the shell v2 protocol (AOSP `adb/shell_protocol.h`). `exit` carries one byte, the exit code. */
export const shellPacketIds = { stdin: 0, stdout: 1, stderr: 2, exit: 3, closeStdin: 4, windowSize: 5 } as const

export type ShellPacket = { id: number; data: Uint8Array }

const headerBytes = 5
/** A packet travels inside adb payloads, so no end sends a larger one. */
const maxDataBytes = 1_048_576

/** Returns id u8, length u32 little-endian and the data. */
export function encodeShellPacket(id: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  if (data.length > maxDataBytes) {
    throw new WireError(`shell packet of ${data.length} bytes is over the limit of ${maxDataBytes}`)
  }
  return new ByteWriter(headerBytes + data.length, 'little-endian')
    .u8(id, 'shell packet id')
    .u32(data.length, 'shell packet length')
    .bytes(data)
    .finish()
}

/** Reads packets of either direction. Unknown ids are passed on; throws WireError for data over 1 MiB. */
export class ShellPacketParser extends StreamParser<ShellPacket> {
  constructor() {
    super(readShellPacket)
  }
}

function readShellPacket(queue: ByteQueue): ShellPacket | undefined {
  const header = queue.peek(headerBytes)
  if (header === undefined) return undefined
  const reader = new ByteReader(header, 'little-endian')
  const id = reader.u8()
  const dataBytes = reader.u32()
  if (dataBytes > maxDataBytes) {
    throw new WireError(`shell packet of ${dataBytes} bytes is over the limit of ${maxDataBytes}`)
  }
  const bytes = queue.take(headerBytes + dataBytes)
  return bytes && { id, data: bytes.subarray(headerBytes) }
}
