import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TextStyle } from '@/server/phone/ui/contract'
import { shownText } from './shown-text'
import { breakText, measureText } from './text'

const style: TextStyle = { size: 24, lineHeight: 33 }

describe('breakText', () => {
  test('keeps a short text on one line', () => {
    const { lines, width, height } = breakText('Hello there', style, 400)
    expect(lines).toEqual(['Hello there'])
    expect(height).toBe(33)
    expect(width).toBe(Math.ceil(measureText('Hello', style) + measureText(' ', style) + measureText('there', style)))
  })

  test('wraps Latin between words and drops the space at the end of a line', () => {
    expect(breakText('Dinner moved to Friday', style, 160).lines).toEqual(['Dinner moved', 'to Friday'])
  })

  test('breaks inside a word only when a whole line is too narrow for it', () => {
    const { lines } = breakText('An incomprehensibilities word', style, 120)
    expect(lines[0]).toBe('An')
    expect(lines.slice(1).join('').replaceAll(' ', '')).toBe('incomprehensibilitiesword')
    expect(lines.every((line) => measureText(line, style) <= 120)).toBe(true)
  })

  test('breaks Chinese between any two characters', () => {
    expect(breakText('晚饭改到周五晚上八点', style, 24 * 4).lines).toEqual(['晚饭改到', '周五晚上', '八点'])
  })

  test('never begins a line with closing punctuation or ends one with opening punctuation', () => {
    expect(breakText('晚饭改到，周五', style, 24 * 4).lines).toEqual(['晚饭改', '到，周五'])
    expect(breakText('晚饭改（到周五）', style, 24 * 4).lines[0]).toBe('晚饭改')
  })

  test('keeps an emoji of several code points whole', () => {
    const family = '👨‍👩‍👧'
    const { lines } = breakText(family.repeat(3), style, measureText(family, style) + 1)
    expect(lines).toEqual([family, family, family])
  })

  test('begins a line at every newline, empty ones too', () => {
    const { lines, starts, height } = breakText('a\n\nb\n', style, 100)
    expect(lines).toEqual(['a', '', 'b', ''])
    expect(starts).toEqual([0, 2, 3, 5])
    expect(height).toBe(4 * 33)
  })

  test('cuts lines after maxLines with an ellipsis that fits', () => {
    const two: TextStyle = { ...style, maxLines: 2 }
    const { lines, width } = breakText('Dinner moved to Friday at eight, same place as before', two, 160)
    expect(lines).toHaveLength(2)
    expect(lines[1]?.endsWith('…')).toBe(true)
    expect(width).toBeLessThanOrEqual(160)
    expect(breakText('one\ntwo', { ...style, maxLines: 1 }, 160).lines).toEqual(['one…'])
    expect(breakText('one', { ...style, maxLines: 1 }, 160).lines).toEqual(['one'])
  })

  test('gives the same lines in its own width, and loses no character', () => {
    const pieces = fc.constantFrom(
      'word ',
      'longer-word ',
      '晚饭',
      '，',
      '（',
      '🎉',
      'é',
      '\n',
      '  ',
      'A',
      '👨‍👩‍👧',
      '20:00 ',
    )
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 20 }),
        fc.integer({ min: 40, max: 400 }),
        fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        (parts, maxWidth, maxLines) => {
          const text = parts.join('')
          const textStyle = maxLines === undefined ? style : { ...style, maxLines }
          const broken = breakText(text, textStyle, maxWidth)
          expect(broken.width).toBeLessThanOrEqual(maxWidth)
          expect(breakText(text, textStyle, broken.width).lines).toEqual(broken.lines)
          if (maxLines === undefined) expect(squeeze(broken.lines.join(''))).toBe(squeeze(text))
          const read = broken.starts.map((start, index) => text.slice(start, broken.starts[index + 1]))
          if (maxLines === undefined) expect(read.join('')).toBe(text)
        },
      ),
      { numRuns: 300 },
    )
  })
})

function squeeze(text: string): string {
  return text.replaceAll(/\s/g, '')
}

describe('shownText', () => {
  test('leaves alone what the shipped fonts can draw', () => {
    for (const text of ['Hello', 'Łódź', '林悦', 'Ελληνικά', 'Кириллица', '👍🏽', '👨‍👩‍👧', '🇨🇳', '❤️', '1️⃣']) {
      expect(shownText(text.normalize('NFC'))).toBe(text.normalize('NFC').replaceAll('ά', shownText('ά')))
    }
  })

  test('draws a box for a character that only the machine might have a font for', () => {
    expect(shownText('aعb')).toBe('a□b')
    expect(shownText('ไ')).toBe('□')
  })

  test('drops control and direction characters and marks a lone surrogate', () => {
    expect(shownText('a\u0000\u0007\u202eb')).toBe('ab')
    expect(shownText('a\ud83db')).toBe('a\ufffdb')
    expect(shownText('a\u00a0b')).toBe('a b')
  })
})
