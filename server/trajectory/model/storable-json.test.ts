import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toStorableJson } from './storable-json'

test('removes what jsonb refuses and keeps everything else', () => {
  expect(
    toStorableJson({ 'a\u0000': ['x\u0000y', 'lone \ud800!', 'pair 😀', null, 3, true], gone: undefined }),
  ).toEqual({
    a: ['xy', 'lone \ufffd!', 'pair 😀', null, 3, true],
  })
})

test('ordinary JSON stays as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!text.includes('\\u0000') && !/\\ud[89a-f]/.test(text) && !text.includes('__proto__'))
      expect(JSON.stringify(toStorableJson(value))).toBe(text)
    }),
  )
})
