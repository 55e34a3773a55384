import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textInputOf } from './text-input'

test('printable ASCII is injected in pieces of 300 bytes that make up the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 2_000 }), (text) => {
      const input = textInputOf(text)
      expect(input.way).toBe('inject')
      if (input.way !== 'inject') return
      expect(input.chunks.join('')).toBe(text)
      expect(input.chunks.every((chunk) => chunk.length > 0 && chunk.length <= 300)).toBe(true)
    }),
  )
})

test.each(['你好', 'naïve', 'two\nlines', '🙂', 'a\u0000b', 'שלום'])('%j is pasted as it is', (text) => {
  expect(textInputOf(text)).toEqual({ way: 'paste', text })
})

test.each([`"quotes" and 'more'`, '$(reboot) `x`', '100%s'])('%j is typed literally', (text) => {
  expect(textInputOf(text)).toEqual({ way: 'inject', chunks: [text] })
})
