import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nalUnitType, wrapNalUnit } from './nal-unit'

const startCode = [0, 0, 0, 1]

/** ITU-T H.264 7.3.1: drops each emulation prevention byte. */
function unescape(payload: Uint8Array): number[] {
  const rbsp: number[] = []
  let zeros = 0
  for (const byte of payload) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    rbsp.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return rbsp
}

describe('wrapNalUnit', () => {
  it('puts start code and header before the payload', () => {
    expect([...wrapNalUnit(nalUnitType.idrSlice, Uint8Array.of(0x88, 0x80))]).toEqual([...startCode, 0x65, 0x88, 0x80])
    expect([...wrapNalUnit(nalUnitType.slice, Uint8Array.of(0x9a))]).toEqual([...startCode, 0x61, 0x9a])
  })

  it('breaks up every byte 0 to 3 after two zeros, and only those', () => {
    const rbsp = Uint8Array.of(0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4)
    const escaped = [0, 0, 3, 0, 0, 3, 0, 1, 0, 0, 3, 2, 0, 0, 3, 3, 0, 0, 4]
    expect([...wrapNalUnit(nalUnitType.slice, rbsp)]).toEqual([...startCode, 0x61, ...escaped])
  })

  it('never imitates a start code and can be undone', () => {
    const byte = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) }, fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), (rbsp) => {
        const payload = wrapNalUnit(nalUnitType.slice, Uint8Array.from([...rbsp, 0x80])).subarray(5)
        for (let index = 2; index < payload.length; index++) {
          expect(payload[index - 2] === 0 && payload[index - 1] === 0 && payload[index]! < 3).toBe(false)
        }
        expect(unescape(payload)).toEqual([...rbsp, 0x80])
      }),
    )
  })
})
