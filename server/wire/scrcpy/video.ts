import type { ByteQueue } from '@/server/wire/byte-queue'
import { ByteReader, decodeUtf8 } from '@/server/wire/byte-reader'
import { ByteWriter } from '@/server/wire/byte-writer'
import { videoDialect3, type VideoDialect } from '@/server/wire/scrcpy/video-dialect'
import { StreamParser } from '@/server/wire/stream-parser'
import { WireError } from '@/server/wire/wire-error'

/** Codec ids are ASCII names in a u32; Tapline streams H.264 only. */
const h264CodecId = 0x68323634
const codecNames = new Map([
  [h264CodecId, 'h264'],
  [0x68323635, 'h265'],
  [0x00617631, 'av1'],
  [0x00767038, 'vp8'],
  [0x00767039, 'vp9'],
])

const packetHeaderBytes = 12
const maxPacketBytes = 16_777_216
export const deviceNameBytes = 64

/** `width` and `height` in pixels. */
export type VideoHeader = { codec: 'h264'; width: number; height: number }

/** `ptsUs` is the device's clock in µs (0 of a configuration); `data` Annex B: SPS and PPS, or one access unit. */
export type VideoPacket = { kind: 'configuration' | 'frame'; isKey: boolean; ptsUs: bigint; data: Uint8Array }

export type VideoEvent =
  | { type: 'device-name'; name: string }
  | ({ type: 'header' } & VideoHeader)
  | ({ type: 'packet' } & VideoPacket)

/** Returns what a video stream starts with: codec, width and height, each u32; in dialect 4 the size is a session packet. */
export function encodeVideoHeader(header: VideoHeader, dialect: VideoDialect = videoDialect3): Uint8Array<ArrayBuffer> {
  const codec = new ByteWriter(4, 'big-endian').u32(h264CodecId, 'codec').finish()
  const size = encodeVideoSize(header, dialect)
  return new ByteWriter(codec.length + size.length, 'big-endian').bytes(codec).bytes(size).finish()
}

/** Returns the size alone, which dialect 4 repeats when the capture restarts (after a rotation, for example). */
export function encodeVideoSize(
  size: { width: number; height: number },
  dialect: VideoDialect = videoDialect3,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(dialect.sessionBit === null ? 8 : 12, 'big-endian')
  if (dialect.sessionBit !== null) writer.u32(Number(dialect.sessionBit >> 32n), 'session flags')
  return writer.u32(size.width, 'video width').u32(size.height, 'video height').finish()
}

/**
 * Returns flags and time u64, size u32 and the data. As upstream, a configuration carries only its flag. Throws
 * WireError for a time that does not fit below the flags and for data over 16 MiB.
 */
export function encodeVideoPacket(packet: VideoPacket, dialect: VideoDialect = videoDialect3): Uint8Array<ArrayBuffer> {
  if (packet.ptsUs < 0n || packet.ptsUs >= dialect.keyBit)
    throw new WireError(`video time ${packet.ptsUs} µs is out of range`)
  checkPacketBytes(packet.data.length)
  const flagsAndTime =
    packet.kind === 'configuration' ? dialect.configurationBit : (packet.isKey ? dialect.keyBit : 0n) | packet.ptsUs
  return new ByteWriter(packetHeaderBytes + packet.data.length, 'big-endian')
    .u64(flagsAndTime, 'video time')
    .u32(packet.data.length, 'video packet length')
    .bytes(packet.data)
    .finish()
}

/** Returns the name as 64 bytes ending in NUL, cut to whole characters as upstream does. */
export function encodeDeviceName(name: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(deviceNameBytes)
  new TextEncoder().encodeInto(name.replaceAll('\0', ''), bytes.subarray(0, deviceNameBytes - 1))
  return bytes
}

/** Reads the name from its 64 bytes. Throws WireError on another length. */
export function decodeDeviceName(bytes: Uint8Array): string {
  if (bytes.length !== deviceNameBytes)
    throw new WireError(`device name has ${bytes.length} bytes, not ${deviceNameBytes}`)
  const end = bytes.indexOf(0)
  return decodeUtf8(end === -1 ? bytes : bytes.subarray(0, end))
}

/**
 * Reads a video socket. `dummyByte`: the socket is the first of forward mode and starts with one 0 byte; `deviceName`:
 * it is the first socket and carries the name. Throws WireError on a codec other than H.264, a size of 0 or over 65535
 * and a packet over 16 MiB. Packet data are views of what was pushed.
 */
export class VideoStreamParser extends StreamParser<VideoEvent> {
  constructor(options: { dummyByte?: boolean; deviceName?: boolean; dialect?: VideoDialect } = {}) {
    const dialect = options.dialect ?? videoDialect3
    let awaits: 'dummy-byte' | 'device-name' | 'codec' | 'size' | 'packet' = 'dummy-byte'
    if (options.dummyByte !== true) awaits = options.deviceName === true ? 'device-name' : 'codec'

    const readNext = (queue: ByteQueue): VideoEvent | undefined => {
      switch (awaits) {
        case 'dummy-byte': {
          const byte = queue.take(1)?.[0]
          if (byte === undefined) return undefined
          if (byte !== 0) throw new WireError(`video socket starts with ${byte} instead of the dummy byte 0`)
          awaits = options.deviceName === true ? 'device-name' : 'codec'
          return readNext(queue)
        }
        case 'device-name': {
          const bytes = queue.take(deviceNameBytes)
          if (bytes === undefined) return undefined
          awaits = 'codec'
          return { type: 'device-name', name: decodeDeviceName(bytes) }
        }
        case 'codec': {
          const bytes = queue.take(4)
          if (bytes === undefined) return undefined
          checkCodec(new ByteReader(bytes, 'big-endian').u32())
          awaits = dialect.sessionBit === null ? 'size' : 'packet'
          return readNext(queue)
        }
        case 'size': {
          const bytes = queue.take(8)
          if (bytes === undefined) return undefined
          awaits = 'packet'
          return readSize(bytes)
        }
        case 'packet':
          return readPacket(queue, dialect)
        default:
          throw new WireError(`unknown video state ${String(awaits satisfies never)}`)
      }
    }
    super(readNext)
  }
}

function readPacket(queue: ByteQueue, dialect: VideoDialect): VideoEvent | undefined {
  const header = queue.peek(packetHeaderBytes)
  if (header === undefined) return undefined
  const reader = new ByteReader(header, 'big-endian')
  const flagsAndTime = reader.u64()
  if (dialect.sessionBit !== null && (flagsAndTime & dialect.sessionBit) !== 0n) {
    queue.take(packetHeaderBytes)
    return readSize(header.subarray(4))
  }
  const dataBytes = reader.u32()
  checkPacketBytes(dataBytes)
  const bytes = queue.take(packetHeaderBytes + dataBytes)
  if (bytes === undefined) return undefined
  return {
    type: 'packet',
    kind: (flagsAndTime & dialect.configurationBit) === 0n ? 'frame' : 'configuration',
    isKey: (flagsAndTime & dialect.keyBit) !== 0n,
    ptsUs: flagsAndTime & (dialect.keyBit - 1n),
    data: bytes.subarray(packetHeaderBytes),
  }
}

function readSize(bytes: Uint8Array): VideoEvent {
  const reader = new ByteReader(bytes, 'big-endian')
  const width = reader.u32()
  const height = reader.u32()
  if (width === 0 || height === 0 || width > 0xffff || height > 0xffff) {
    throw new WireError(`video size ${width}x${height} is out of range`)
  }
  return { type: 'header', codec: 'h264', width, height }
}

function checkCodec(id: number): void {
  if (id === h264CodecId) return
  if (id === 0) throw new WireError('the device has disabled the video stream (codec 0)')
  if (id === 1) throw new WireError('the device could not start its video encoder (codec 1)')
  const name = codecNames.get(id) ?? `0x${id.toString(16).padStart(8, '0')}`
  throw new WireError(`video codec ${name} is not supported: start scrcpy with video_codec=h264`)
}

function checkPacketBytes(bytes: number): void {
  if (bytes > maxPacketBytes)
    throw new WireError(`video packet of ${bytes} bytes is over the limit of ${maxPacketBytes}`)
}
