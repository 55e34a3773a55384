import { CommandError } from './command'
import type { Word } from './syntax'
import { resolvePath, type VirtualFiles } from './virtual-files'

export type Expansion = {
  variable(name: string): string | undefined
  substitute(source: string): Promise<string>
  files: VirtualFiles
  workingDirectory: string
}

const maxFields = 16_384
const maxFieldLength = 4 * 1_048_576

/** One character range of a field; a quoted `*` is only a star. */
type Piece = { text: string; isQuoted: boolean }

/**
 * The fields a word becomes: variables and substitutions filled in, what is not quoted split at blanks and matched against
 * file names (POSIX 2.6). An unquoted empty word gives no field.
 */
export async function expandWord(word: Word, expansion: Expansion): Promise<string[]> {
  const fields: Piece[][] = []
  let field: Piece[] | null = null
  const add = (piece: Piece) => {
    field ??= []
    field.push(piece)
  }
  const finish = () => {
    if (field !== null) fields.push(field)
    field = null
  }
  for (const part of word) {
    const text = part.kind === 'text' ? part.text : await valueOf(part, expansion)
    if (part.kind === 'text' || part.isQuoted) {
      add({ text, isQuoted: part.isQuoted })
      continue
    }
    const pieces = text.split(/[ \t\n]+/)
    if (pieces.length > maxFields) throw new CommandError('argument list too long')
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) finish()
      if (piece !== '') add({ text: piece, isQuoted: false })
    }
  }
  finish()
  return fields.flatMap((pieces) => matchFiles(pieces, expansion))
}

/** The text of a word where it is not split: an assignment, a redirection's target. */
export async function expandToText(word: Word, expansion: Expansion): Promise<string> {
  let text = ''
  for (const part of word) text += part.kind === 'text' ? part.text : await valueOf(part, expansion)
  if (text.length > maxFieldLength) throw new CommandError('argument list too long')
  return text
}

async function valueOf(part: Exclude<Word[number], { kind: 'text' }>, expansion: Expansion): Promise<string> {
  if (part.kind === 'substitution') return expansion.substitute(part.source)
  return expansion.variable(part.name) || (part.fallback ?? expansion.variable(part.name) ?? '')
}

function matchFiles(pieces: Piece[], expansion: Expansion): string[] {
  const text = pieces.map((piece) => piece.text).join('')
  if (!pieces.some((piece) => !piece.isQuoted && /[*?]/.test(piece.text))) return [text]
  // Quoted stars become a private character pair that no file name holds.
  const pattern = pieces
    .map((piece) => (piece.isQuoted ? piece.text.replaceAll('*', '\u0000s').replaceAll('?', '\u0000q') : piece.text))
    .join('')
  const matches = matchSegments(pattern, expansion)
  return matches.length === 0 ? [text] : matches
}

function matchSegments(pattern: string, expansion: Expansion): string[] {
  let candidates = [pattern.startsWith('/') ? '/' : '']
  for (const segment of pattern.split('/').filter((name) => name !== '')) {
    const next: string[] = []
    for (const base of candidates) {
      const join = base === '' || base.endsWith('/') ? base : `${base}/`
      const plain = segment.replaceAll('\u0000s', '*').replaceAll('\u0000q', '?')
      if (!/[*?]/.test(segment)) {
        if (expansion.files.statIfExists(resolvePath(`${join}${plain}`, expansion.workingDirectory)) !== null) {
          next.push(`${join}${plain}`)
        }
        continue
      }
      const directory = resolvePath(join === '' ? '.' : join, expansion.workingDirectory)
      if (expansion.files.statIfExists(directory)?.kind !== 'directory') continue
      for (const { name } of expansion.files.list(directory)) {
        const isHidden = name.startsWith('.') && !segment.startsWith('.')
        if (!isHidden && matchesPattern(name, segment)) next.push(`${join}${name}`)
      }
    }
    candidates = next.slice(0, maxFields)
  }
  return candidates
}

/** Matches `*` and `?` in time of name times pattern: no pattern can make it slow. */
function matchesPattern(name: string, pattern: string): boolean {
  const symbols = pattern.match(/\u0000[sq]|[^]/gu) ?? []
  const characters = [...name]
  let reachable = new Set([0])
  for (const symbol of symbols) {
    const next = new Set<number>()
    for (const at of reachable) {
      if (symbol === '*') for (let end = at; end <= characters.length; end++) next.add(end)
      else if (at < characters.length) {
        const literal = symbol === '\u0000s' ? '*' : symbol === '\u0000q' ? '?' : symbol
        if (symbol === '?' || characters[at] === literal) next.add(at + 1)
      }
    }
    reachable = next
  }
  return reachable.has(characters.length)
}
