import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenize } from './lexer'
import { parseScript } from './parser'
import { ShellSyntaxError } from './syntax'

describe('tokenize', () => {
  test('keeps what is quoted apart from what is not', () => {
    expect(tokenize(`a'b c'"d $e"\\ f`)).toEqual([
      {
        kind: 'word',
        word: [
          { kind: 'text', text: 'a', isQuoted: false },
          { kind: 'text', text: 'b c', isQuoted: true },
          { kind: 'text', text: 'd ', isQuoted: true },
          { kind: 'variable', name: 'e', fallback: null, isQuoted: true },
          { kind: 'text', text: ' ', isQuoted: true },
          { kind: 'text', text: 'f', isQuoted: false },
        ],
      },
    ])
  })

  test('a number is a descriptor only right before a redirection', () => {
    expect(tokenize('2>&1 2 >x').map((token) => token.kind)).toEqual(['duplicate', 'word', 'redirection', 'word'])
  })

  test('a comment ends at the end of the line, and starts only between words', () => {
    expect(tokenize('a#b # c\nd').map((token) => token.kind)).toEqual(['word', 'operator', 'word'])
  })
})

test.each([
  ["echo 'a", 'unterminated'],
  ['echo "a', 'unterminated'],
  ['echo `a', 'unterminated'],
  ['echo $(a', "'$(' without ')'"],
  ['| a', "unexpected '|'"],
  ['a &&', 'unexpected end of file'],
  ['a ;; b', "unexpected ';'"],
  ['a | | b', "unexpected '|'"],
  ['(a', 'unexpected end of file'],
  ['a )', "unexpected ')'"],
  ['if a; then b', 'unexpected end of file'],
  ['if then fi', "unexpected 'then'"],
  ['fi', "unexpected 'fi'"],
  ['for 1 in a; do b; done', "unexpected '1'"],
  ['echo > ', 'unexpected end of file'],
  ['sleep 1 &', 'background'],
  ['cat << EOF', 'not supported'],
  ['case a in esac', 'not supported'],
  ['echo $((1+1))', 'arithmetic'],
  ['echo ${a!b}', 'bad substitution'],
  ['('.repeat(200), 'nested too deeply'],
])('refuses %j', (script, reason) => {
  expect(() => parseScript(script)).toThrow(ShellSyntaxError)
  expect(() => parseScript(script)).toThrow(reason)
})

test('any text is a script or a syntax error', () => {
  const pieces = fc.constantFrom(
    'a',
    ' ',
    "'",
    '"',
    '\\',
    '$',
    '(',
    ')',
    '{',
    '}',
    '`',
    ';',
    '&',
    '|',
    '>',
    '<',
    '2',
    '\n',
    '#',
    'if',
    'do',
  )
  const scripts = fc.oneof(
    fc.string(),
    fc.array(pieces).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(scripts, (script) => {
      try {
        parseScript(script)
      } catch (error) {
        expect(error).toBeInstanceOf(ShellSyntaxError)
      }
    }),
    { numRuns: 2_000 },
  )
})
