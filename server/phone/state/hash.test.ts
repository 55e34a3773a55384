import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, hashOf } from './hash'

test('the order of keys does not count, the order of lists does', () => {
  expect(canonicalJson({ b: [2, 1], a: { d: null, c: 'x' } })).toBe('{"a":{"c":"x","d":null},"b":[2,1]}')
  expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }))
  expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]))
})

test('a member that is undefined is a member that is not there', () => {
  expect(hashOf({ a: 1, note: undefined })).toBe(hashOf({ a: 1 }))
})

test('is SHA-256 as everyone computes it', () => {
  expect(hashOf({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
})

test('reads back as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
