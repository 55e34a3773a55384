import { ScrcpyOptions3_3_3 } from '@yume-chan/scrcpy'
import { ReadableStream } from '@yume-chan/stream-extra'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeDeviceName,
  encodeDeviceName,
  encodeVideoHeader,
  encodeVideoPacket,
  encodeVideoSize,
  VideoStreamParser,
  type VideoEvent,
  type VideoPacket,
} from '@/server/wire/scrcpy/video'
import { videoDialect3, videoDialect4 } from '@/server/wire/scrcpy/video-dialect'
import { chunkSizes, concatenate, fromHex, pushInChunks } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

const header = { codec: 'h264', width: 720, height: 1280 } as const
const configuration: VideoPacket = { kind: 'configuration', isKey: false, ptsUs: 0n, data: Uint8Array.of(1, 2) }
const keyFrame: VideoPacket = { kind: 'frame', isKey: true, ptsUs: 0x0102n, data: Uint8Array.of(3) }
const frame: VideoPacket = { kind: 'frame', isKey: false, ptsUs: 0x0103n, data: new Uint8Array(0) }

describe('golden bytes', () => {
  test('of scrcpy 3', () => {
    expect(encodeVideoHeader(header)).toEqual(fromHex('68323634 000002d0 00000500'))
    expect(encodeVideoPacket(configuration)).toEqual(fromHex('8000000000000000 00000002 0102'))
    expect(encodeVideoPacket(keyFrame)).toEqual(fromHex('4000000000000102 00000001 03'))
    expect(encodeVideoPacket(frame)).toEqual(fromHex('0000000000000103 00000000'))
  })

  test('of scrcpy 4', () => {
    expect(encodeVideoHeader(header, videoDialect4)).toEqual(fromHex('68323634 80000000 000002d0 00000500'))
    expect(encodeVideoPacket(configuration, videoDialect4)).toEqual(fromHex('4000000000000000 00000002 0102'))
    expect(encodeVideoPacket(keyFrame, videoDialect4)).toEqual(fromHex('2000000000000102 00000001 03'))
  })
})

const data = fc.uint8Array({ maxLength: 100 })
const wellFormed = { noNullPrototype: true }
const packets: fc.Arbitrary<VideoPacket> = fc.oneof(
  data.map((bytes): VideoPacket => ({ kind: 'configuration', isKey: false, ptsUs: 0n, data: bytes })),
  fc.record(
    {
      kind: fc.constant('frame' as const),
      isKey: fc.boolean(),
      ptsUs: fc.bigInt({ min: 0n, max: (1n << 61n) - 1n }),
      data,
    },
    wellFormed,
  ),
)

test.each([
  ['3', videoDialect3],
  ['4', videoDialect4],
])('reads what it wrote in dialect %s, in any pieces', (_, dialect) => {
  fc.assert(
    fc.property(fc.array(packets), fc.boolean(), fc.boolean(), chunkSizes, (sent, dummyByte, deviceName, sizes) => {
      const bytes = concatenate([
        ...(dummyByte ? [Uint8Array.of(0)] : []),
        ...(deviceName ? [encodeDeviceName('VPhone 1')] : []),
        encodeVideoHeader(header, dialect),
        ...sent.map((packet) => encodeVideoPacket(packet, dialect)),
      ])
      const expected: VideoEvent[] = [
        ...(deviceName ? [{ type: 'device-name', name: 'VPhone 1' } as const] : []),
        { type: 'header', ...header },
        ...sent.map((packet): VideoEvent => ({ type: 'packet', ...packet })),
      ]
      // The largest time of dialect 3 has one bit more than that of dialect 4.
      if (sent.some((packet) => packet.ptsUs >= dialect.keyBit)) return
      const parser = new VideoStreamParser({ dummyByte, deviceName, dialect })
      expect(pushInChunks(parser, bytes, sizes)).toEqual(expected)
      expect(parser.pendingBytes).toBe(0)
    }),
  )
})

test('a restarted capture of scrcpy 4 gives a new header', () => {
  const parser = new VideoStreamParser({ dialect: videoDialect4 })
  const turned = encodeVideoSize({ width: 1280, height: 720 }, videoDialect4)
  expect(parser.push(concatenate([encodeVideoHeader(header, videoDialect4), turned]))).toEqual([
    { type: 'header', ...header },
    { type: 'header', codec: 'h264', width: 1280, height: 720 },
  ])
})

test('Tango reads our stream', async () => {
  const options = new ScrcpyOptions3_3_3({})
  const sent = [configuration, keyFrame, frame]
  const bytes = concatenate([
    encodeDeviceName('VPhone 1'),
    encodeVideoHeader(header),
    ...sent.map((packet) => encodeVideoPacket(packet)),
  ])
  const { metadata, stream } = await options.parseVideoStreamMetadata(ReadableStream.from([bytes]))
  expect(metadata).toEqual({ deviceName: 'VPhone 1', codec: 0x68323634, width: 720, height: 1280 })
  const received: unknown[] = []
  for await (const packet of stream.pipeThrough(options.createMediaStreamTransformer())) received.push(packet)
  expect(received).toEqual([
    { type: 'configuration', data: configuration.data },
    { type: 'data', keyframe: true, pts: 0x0102n, data: keyFrame.data },
    { type: 'data', keyframe: false, pts: 0x0103n, data: frame.data },
  ])
})

describe('device name', () => {
  test('is 64 bytes ending in NUL, cut between characters', () => {
    const bytes = encodeDeviceName('漢'.repeat(30))
    expect(bytes).toHaveLength(64)
    expect(decodeDeviceName(bytes)).toBe('漢'.repeat(21))
    expect(decodeDeviceName(encodeDeviceName('Pixel 7'))).toBe('Pixel 7')
  })

  test('of another length is refused', () => {
    expect(() => decodeDeviceName(new Uint8Array(63))).toThrow(WireError)
  })
})

describe('refuses', () => {
  test.each([
    ['a codec other than H.264', '68323635', /video codec h265 is not supported/],
    ['an unknown codec', '12345678', /video codec 0x12345678/],
    ['a disabled stream', '00000000', /disabled/],
    ['an encoder error', '00000001', /could not start/],
    ['a width of 0', '68323634 00000000 00000500', /0x1280 is out of range/],
    ['a height over 65535', '68323634 000002d0 00010000', /720x65536 is out of range/],
    [
      'a packet over 16 MiB, from its header',
      '68323634 000002d0 00000500 0000000000000000 01000001',
      /16777217 bytes is over the limit/,
    ],
  ])('%s', (_, hex, message) => {
    expect(() => new VideoStreamParser().push(fromHex(hex))).toThrow(message)
  })

  test('a first byte that is not the dummy byte', () => {
    expect(() => new VideoStreamParser({ dummyByte: true }).push(fromHex('01'))).toThrow(/dummy byte/)
  })

  test('to write a time that would set a flag', () => {
    expect(() => encodeVideoPacket({ ...frame, ptsUs: 1n << 62n })).toThrow(WireError)
    expect(() => encodeVideoPacket({ ...frame, ptsUs: 1n << 61n }, videoDialect4)).toThrow(WireError)
    expect(() => encodeVideoPacket({ ...frame, ptsUs: -1n })).toThrow(WireError)
  })
})
