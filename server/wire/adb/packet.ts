import type { ByteQueue } from '@/server/wire/byte-queue'
import { ByteReader } from '@/server/wire/byte-reader'
import { ByteWriter } from '@/server/wire/byte-writer'
import { StreamParser } from '@/server/wire/stream-parser'
import { WireError } from '@/server/wire/wire-error'

/** Commands of the adb transport: four ASCII letters read as a little-endian u32 (AOSP `adb/protocol.txt`). */
export const adbCommands = {
  CNXN: 0x4e584e43,
  AUTH: 0x48545541,
  OPEN: 0x4e45504f,
  OKAY: 0x59414b4f,
  WRTE: 0x45545257,
  CLSE: 0x45534c43,
  STLS: 0x534c5453,
} as const

/** From this protocol version on both ends ignore the checksum; it is the version both ends send in CNXN. */
export const adbVersion = 0x01000001

export const adbHeaderBytes = 24

/** The largest payload adb itself offers in CNXN, 1 MiB. */
export const adbMaxPayloadBytes = 1_048_576

/** `arg0` and `arg1` are unsigned 32-bit: version and maximum payload of CNXN, stream ids of the others. */
export type AdbPacket = { command: number; arg0: number; arg1: number; payload: Uint8Array }

/**
 * Returns header and payload: u32 little-endian command, arg0, arg1, payload length, checksum, command ^ 0xffffffff.
 * The checksum is the byte sum in CNXN and AUTH, sent before the versions are agreed, and 0 afterwards.
 */
export function encodeAdbPacket(packet: AdbPacket): Uint8Array<ArrayBuffer> {
  const { command, arg0, arg1, payload } = packet
  const needsChecksum = command === adbCommands.CNXN || command === adbCommands.AUTH
  return new ByteWriter(adbHeaderBytes + payload.length, 'little-endian')
    .u32(command, 'adb command')
    .u32(arg0, 'adb arg0')
    .u32(arg1, 'adb arg1')
    .u32(payload.length, 'adb payload length')
    .u32(needsChecksum ? sumOf(payload) : 0, 'adb checksum')
    .u32((command ^ 0xffff_ffff) >>> 0, 'adb magic')
    .bytes(payload)
    .finish()
}

/**
 * Reads packets from an adb transport. Throws WireError on a bad magic and on a payload over `maxPayloadBytes`
 * (default 1 MiB), both as soon as the header is there. Payloads are views of what was pushed.
 */
export class AdbPacketParser extends StreamParser<AdbPacket> {
  constructor(options: { maxPayloadBytes?: number } = {}) {
    const maxPayloadBytes = options.maxPayloadBytes ?? adbMaxPayloadBytes
    super((queue) => readAdbPacket(queue, maxPayloadBytes))
  }
}

function readAdbPacket(queue: ByteQueue, maxPayloadBytes: number): AdbPacket | undefined {
  const headerBytes = queue.peek(adbHeaderBytes)
  if (headerBytes === undefined) return undefined
  const header = new ByteReader(headerBytes, 'little-endian')
  const command = header.u32()
  const arg0 = header.u32()
  const arg1 = header.u32()
  const payloadBytes = header.u32()
  header.u32()
  const magic = header.u32()
  if (magic !== (command ^ 0xffff_ffff) >>> 0) {
    throw new WireError(`adb packet ${hexadecimal(command)} has a bad magic ${hexadecimal(magic)}`)
  }
  if (payloadBytes > maxPayloadBytes) {
    throw new WireError(`adb packet payload of ${payloadBytes} bytes is over the limit of ${maxPayloadBytes}`)
  }
  const bytes = queue.take(adbHeaderBytes + payloadBytes)
  return bytes && { command, arg0, arg1, payload: bytes.subarray(adbHeaderBytes) }
}

function sumOf(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) sum += byte
  return sum >>> 0
}

function hexadecimal(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`
}
