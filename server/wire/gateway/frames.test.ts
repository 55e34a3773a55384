import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeGatewayFrame, encodeGatewayFrame, type GatewayFrame } from '@/server/wire/gateway/frames'
import { fromHex } from '@/server/wire/testing/push-in-chunks'

test('golden bytes of a key frame', () => {
  const frame: GatewayFrame = {
    kind: 'frame',
    isKey: true,
    width: 540,
    height: 1200,
    frameNumber: 7,
    ptsUs: 0x0102030405n,
    data: fromHex('0000000165'),
  }
  expect(encodeGatewayFrame(frame)).toEqual(fromHex('02 01 021c 04b0 00000007 0000000102030405 0000000165'))
})

test('reads what it wrote, also inside a larger buffer', () => {
  const size = fc.integer({ min: 0, max: 0xffff })
  const frames = fc.record(
    {
      kind: fc.constantFrom('configuration' as const, 'frame' as const),
      isKey: fc.boolean(),
      width: size,
      height: size,
      frameNumber: fc.integer({ min: 0, max: 0xffff_ffff }),
      ptsUs: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      data: fc.uint8Array(),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(frames, (frame) => {
      const larger = Uint8Array.from([9, 9, 9, ...encodeGatewayFrame(frame)])
      expect(decodeGatewayFrame(larger.subarray(3))).toEqual(frame)
    }),
  )
})

test('refuses a short message and an unknown kind', () => {
  expect(() => decodeGatewayFrame(new Uint8Array(17))).toThrow(/17 bytes is too short/)
  expect(() => decodeGatewayFrame(fromHex(`03${'00'.repeat(17)}`))).toThrow(/unknown kind 3/)
})
