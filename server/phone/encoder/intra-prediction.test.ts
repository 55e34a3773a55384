import { describe, expect, it } from 'vitest'
import { predictChroma, predictLuma } from './intra-prediction'

const lumaStride = 32
const lumaOffset = 16 * lumaStride + 16
const chromaStride = 16
const chromaOffset = 8 * chromaStride + 8

/** Neighbours of the macroblock at (1, 1) of a 2x2 macroblock picture: row above `top(x)`, column to the left `left(y)`. */
function planeWithNeighbours(size: number, top: (x: number) => number, left: (y: number) => number): Uint8Array {
  const stride = 2 * size
  const plane = new Uint8Array(stride * stride)
  for (let index = 0; index < size; index++) {
    plane[(size - 1) * stride + size + index] = top(index)
    plane[(size + index) * stride + size - 1] = left(index)
  }
  return plane
}

function blockOf(plane: Uint8Array, size: number): number[][] {
  const stride = 2 * size
  return Array.from({ length: size }, (_, row) => [
    ...plane.subarray((size + row) * stride + size, (size + row) * stride + 2 * size),
  ])
}

describe('predictLuma', () => {
  it('picks vertical, horizontal or DC, whichever is nearest', () => {
    const verticalSource = new Uint8Array(1024).map((_, index) => index % 32)
    const horizontalSource = new Uint8Array(1024).map((_, index) => index >> 5)
    const flatSource = new Uint8Array(1024).fill(100)

    const vertical = planeWithNeighbours(
      16,
      (x) => 16 + x,
      () => 0,
    )
    expect(predictLuma(verticalSource, vertical, lumaOffset, lumaStride, true, true)).toBe(0)
    expect(blockOf(vertical, 16)[15]).toEqual(Array.from({ length: 16 }, (_, x) => 16 + x))

    const horizontal = planeWithNeighbours(
      16,
      () => 0,
      (y) => 16 + y,
    )
    expect(predictLuma(horizontalSource, horizontal, lumaOffset, lumaStride, true, true)).toBe(1)
    expect(blockOf(horizontal, 16)[3]).toEqual(Array.from({ length: 16 }, () => 19))

    const dc = planeWithNeighbours(
      16,
      (x) => (x % 2) * 200,
      (y) => (y % 2) * 201,
    )
    expect(predictLuma(flatSource, dc, lumaOffset, lumaStride, true, true)).toBe(2)
    // (8 * 200 + 8 * 201 + 16) >> 5
    expect(blockOf(dc, 16)[0]![0]).toBe(100)
  })

  it('uses only neighbours that exist', () => {
    const source = new Uint8Array(1024).fill(50)
    for (const [hasLeft, hasTop, dc] of [
      [false, false, 128],
      [true, false, 20],
      [false, true, 30],
    ] as const) {
      // Alternating samples keep the directional modes away.
      const plane = planeWithNeighbours(
        16,
        (x) => (x % 2) * 60,
        (y) => (y % 2) * 40,
      )
      const flat = new Uint8Array(1024).fill(dc)
      expect(predictLuma(dc === 128 ? source : flat, plane, lumaOffset, lumaStride, hasLeft, hasTop)).toBe(2)
      expect(new Set(blockOf(plane, 16).flat())).toEqual(new Set([dc]))
    }
  })
})

describe('predictChroma', () => {
  function dcQuadrants(hasLeft: boolean, hasTop: boolean): number[] {
    // Quarters of the neighbours: top 10 | 30, left 50 | 90.
    const planeOf = (): Uint8Array =>
      planeWithNeighbours(
        8,
        (x) => (x < 4 ? 10 : 30),
        (y) => (y < 4 ? 50 : 90),
      )
    const source = new Uint8Array(256)
    const expected = [
      [0, 0, hasLeft && hasTop ? 30 : hasTop ? 10 : 50],
      [4, 0, hasTop ? 30 : 50],
      [0, 4, hasLeft ? 90 : 10],
      [4, 4, hasLeft && hasTop ? 60 : hasTop ? 30 : 90],
    ] as const
    for (const [x, y, value] of expected) {
      for (let row = 0; row < 4; row++) {
        source.fill(hasLeft || hasTop ? value : 128, (8 + y + row) * 16 + 8 + x, (8 + y + row) * 16 + 12 + x)
      }
    }
    const u = planeOf()
    const v = planeOf()
    expect(predictChroma(source, source, u, v, chromaOffset, chromaStride, hasLeft, hasTop)).toBe(0)
    expect(u).toEqual(v)
    const block = blockOf(u, 8)
    return [block[0]![0]!, block[0]![7]!, block[7]![0]!, block[7]![7]!]
  }

  it('takes DC per quadrant, the off-diagonal ones from one side', () => {
    expect(dcQuadrants(true, true)).toEqual([30, 30, 90, 60])
    expect(dcQuadrants(false, false)).toEqual([128, 128, 128, 128])
  })

  it('picks horizontal and vertical for both planes together', () => {
    const rows = new Uint8Array(256).map((_, index) => (index >> 4) * 10)
    const columns = new Uint8Array(256).map((_, index) => (index & 15) * 10)
    const first = planeWithNeighbours(
      8,
      (x) => 80 + 10 * x,
      (y) => 80 + 10 * y,
    )
    const second = first.slice()
    expect(predictChroma(rows, rows, first, second, chromaOffset, chromaStride, true, true)).toBe(1)
    expect(blockOf(second, 8)[7]).toEqual(Array.from({ length: 8 }, () => 150))
    expect(predictChroma(columns, columns, first, second, chromaOffset, chromaStride, true, true)).toBe(2)
    expect(blockOf(second, 8)[7]).toEqual([80, 90, 100, 110, 120, 130, 140, 150])
  })
})
