import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chromaQp, createQuantizer, quantizeAc, quantizeDc } from './quantization'
import { addDcResidual, addResidual, hadamard2x2, hadamard4x4, transformResidual } from './transform'

const samples = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 16, maxLength: 16 })

describe('transformResidual', () => {
  it('turns a constant residual into DC alone', () => {
    const coefficients = new Int32Array(16)
    expect(transformResidual(new Uint8Array(16).fill(9), new Uint8Array(16).fill(2), 0, 4, coefficients, 0)).toBe(true)
    expect([...coefficients]).toEqual([112, ...Array.from({ length: 15 }, () => 0)])
  })

  it('is the core transform of the standard: C x C^T', () => {
    const matrix = [
      [1, 1, 1, 1],
      [2, 1, -1, -2],
      [1, -1, -1, 1],
      [1, -2, 2, -1],
    ]
    fc.assert(
      fc.property(samples, samples, (source, prediction) => {
        const coefficients = new Int32Array(16)
        transformResidual(Uint8Array.from(source), Uint8Array.from(prediction), 0, 4, coefficients, 0)
        const expected = Array.from({ length: 16 }, (_, index) => {
          const rowBasis = matrix[index >> 2]!
          const columnBasis = matrix[index & 3]!
          return source.reduce(
            (sum, sample, at) => sum + rowBasis[at >> 2]! * columnBasis[at & 3]! * (sample - prediction[at]!),
            0,
          )
        })
        expect([...coefficients]).toEqual(expected)
      }),
    )
  })

  it('says when there is nothing to code', () => {
    const plane = new Uint8Array(16).fill(77)
    expect(transformResidual(plane, plane.slice(), 0, 4, new Int32Array(16), 0)).toBe(false)
  })
})

describe('quantization', () => {
  it('comes back within a step of the source', () => {
    fc.assert(
      fc.property(samples, samples, fc.integer({ min: 12, max: 40 }), (source, prediction, qp) => {
        const quantizer = createQuantizer(qp)
        const coefficients = new Int32Array(16)
        const plane = Uint8Array.from(prediction)
        transformResidual(Uint8Array.from(source), plane, 0, 4, coefficients, 0)
        const dc = coefficients[0]!
        quantizeAc(quantizer, coefficients, 0, new Int16Array(15), 0)
        coefficients[0] = quantizeDc(quantizer, dc, 0) * quantizer.inverse[0]!
        addResidual(plane, 0, 4, coefficients, 0)
        const squares = source.reduce((sum, sample, at) => sum + (sample - plane[at]!) ** 2, 0)
        // An orthonormal coefficient is off by at most 2/3 step (the dead zone); samples round by 1/2; norms are rounded.
        const step = 0.625 * 2 ** (qp / 6) * 1.1
        expect(Math.sqrt(squares)).toBeLessThanOrEqual(4 * ((2 / 3) * step + 0.5))
      }),
    )
  })

  it('reports levels in zig-zag order and how many there are', () => {
    const coefficients = new Int32Array(16)
    coefficients[4] = -4000
    coefficients[15] = 2000
    const levels = new Int16Array(15)
    expect(quantizeAc(createQuantizer(22), coefficients, 0, levels, 0)).toBe(2)
    // MF 5243 and 3355, 18 bits of shift.
    expect([...levels]).toEqual([0, -80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25])
    expect([coefficients[4], coefficients[15]]).toEqual([-80 * 20 * 8, 25 * 25 * 8])
  })

  it('maps luma to chroma QP by table 8-15', () => {
    expect([12, 29, 30, 34, 39, 45, 51].map(chromaQp)).toEqual([12, 29, 29, 32, 35, 38, 39])
  })

  it.each([11, 52, 22.5, Number.NaN, -6])('refuses QP %d', (qp) => {
    expect(() => createQuantizer(qp)).toThrow(/integer of 12 to 51/)
  })
})

describe('inverse transforms', () => {
  it('agree on a block with DC alone, clipping included', () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: -20_000, max: 20_000 }), (prediction, dc) => {
        const whole = Uint8Array.from(prediction)
        const short = Uint8Array.from(prediction)
        const coefficients = new Int32Array(16)
        coefficients[0] = dc
        addResidual(whole, 0, 4, coefficients, 0)
        addDcResidual(short, 0, 4, dc)
        expect(short).toEqual(whole)
      }),
    )
  })

  it('undo the Hadamard transforms up to their gain', () => {
    const values = Int32Array.from({ length: 16 }, (_, index) => (index * 37) % 23)
    const transformed = values.slice()
    hadamard4x4(transformed)
    hadamard4x4(transformed)
    expect(transformed).toEqual(values.map((value) => value * 16))

    const small = Int32Array.of(3, -8, 20, 1)
    const smallTransformed = small.slice()
    hadamard2x2(smallTransformed)
    expect([...smallTransformed]).toEqual([16, 30, -26, -8])
    hadamard2x2(smallTransformed)
    expect(smallTransformed).toEqual(small.map((value) => value * 4))
  })
})
