import { ShellSyntaxError, type Word, type WordPart } from './syntax'

export type Token =
  | { kind: 'word'; word: Word }
  | { kind: 'operator'; operator: Operator }
  /** `target` follows as a word, except for `duplicate`. */
  | { kind: 'redirection'; operation: 'read' | 'write' | 'append'; descriptor: number }
  | { kind: 'duplicate'; descriptor: number; source: number }

export type Operator = ';' | '\n' | '&&' | '||' | '|' | '(' | ')'

const maxScriptLength = 262_144
const redirection = /^(\d?)(>>|>&|>\||>|<<|<&|<)/
const substitutionDepthLimit = 32

/**
 * Cuts a script into tokens by the quoting rules of POSIX 2.2 and 2.3. Throws ShellSyntaxError when a quote stays open and on
 * what this shell does not do: here-documents, background jobs and arithmetic.
 */
export function tokenize(script: string): Token[] {
  if (script.length > maxScriptLength) throw new ShellSyntaxError('syntax error: the command is too long')
  return new Lexer(script).tokens()
}

class Lexer {
  readonly #script: string
  #position = 0

  constructor(script: string) {
    this.#script = script
  }

  tokens(): Token[] {
    const tokens: Token[] = []
    for (;;) {
      this.#skipBlanks()
      if (this.#position >= this.#script.length) return tokens
      tokens.push(this.#next())
    }
  }

  #skipBlanks(): void {
    for (;;) {
      const character = this.#script[this.#position]
      if (character === ' ' || character === '\t' || character === '\r') this.#position++
      else if (character === '\\' && this.#script[this.#position + 1] === '\n') this.#position += 2
      else if (character === '#') {
        const end = this.#script.indexOf('\n', this.#position)
        this.#position = end === -1 ? this.#script.length : end
      } else return
    }
  }

  #next(): Token {
    const rest = this.#script.slice(this.#position, this.#position + 3)
    for (const operator of ['&&', '||', ';', '\n', '|', '(', ')'] as const) {
      if (rest.startsWith(operator)) {
        this.#position += operator.length
        return { kind: 'operator', operator }
      }
    }
    if (rest.startsWith('&')) throw new ShellSyntaxError("syntax error: '&' (background jobs) is not supported")
    const match = redirection.exec(rest)
    if (match !== null) return this.#redirection(match)
    return { kind: 'word', word: this.#word() }
  }

  #redirection(match: RegExpExecArray): Token {
    const [text, digit, operator] = match
    this.#position += text.length
    const isInput = operator?.startsWith('<') === true
    const descriptor = digit ? Number(digit) : isInput ? 0 : 1
    switch (operator) {
      case '<':
        return { kind: 'redirection', operation: 'read', descriptor }
      case '>>':
        return { kind: 'redirection', operation: 'append', descriptor }
      case '>&': {
        const source = /^[0-2]/.exec(this.#script.slice(this.#position, this.#position + 1))?.[0]
        if (source === undefined) throw new ShellSyntaxError("syntax error: '>&' needs 0, 1 or 2")
        this.#position++
        return { kind: 'duplicate', descriptor, source: Number(source) }
      }
      case '<<':
      case '<&':
        throw new ShellSyntaxError(`syntax error: '${operator}' is not supported`)
      default:
        return { kind: 'redirection', operation: 'write', descriptor }
    }
  }

  #word(): Word {
    const parts: WordPart[] = []
    for (;;) {
      const character = this.#script[this.#position]
      if (character === undefined || /[\s;&|<>()]/.test(character)) return parts
      if (character === "'") parts.push(this.#singleQuoted())
      else if (character === '"') this.#doubleQuoted(parts)
      else if (character === '\\') this.#escaped(parts)
      else if (character === '$' || character === '`') parts.push(this.#expansion(false))
      else parts.push(this.#plain())
    }
  }

  #plain(): WordPart {
    const start = this.#position
    while (this.#position < this.#script.length && !/[\s;&|<>()'"\\$`]/.test(this.#script[this.#position]!)) {
      this.#position++
    }
    return { kind: 'text', text: this.#script.slice(start, this.#position), isQuoted: false }
  }

  #singleQuoted(): WordPart {
    const end = this.#script.indexOf("'", this.#position + 1)
    if (end === -1) throw new ShellSyntaxError("syntax error: unterminated quoted string (')")
    const text = this.#script.slice(this.#position + 1, end)
    this.#position = end + 1
    return { kind: 'text', text, isQuoted: true }
  }

  #escaped(parts: WordPart[]): void {
    const next = this.#script[this.#position + 1]
    this.#position += 2
    // A backslash before the end of a line joins the lines; one at the very end stands for itself.
    if (next === '\n') return
    parts.push({ kind: 'text', text: next ?? '\\', isQuoted: true })
  }

  #doubleQuoted(parts: WordPart[]): void {
    this.#position++
    let text = ''
    // "" is an empty word, not no word.
    let isEmpty = true
    const flush = () => {
      if (text !== '' || isEmpty) parts.push({ kind: 'text', text, isQuoted: true })
      text = ''
      isEmpty = false
    }
    for (;;) {
      const character = this.#script[this.#position]
      if (character === undefined) throw new ShellSyntaxError('syntax error: unterminated quoted string (")')
      if (character === '"') {
        this.#position++
        flush()
        return
      }
      if (character === '\\') {
        const next = this.#script[this.#position + 1] ?? ''
        this.#position += 2
        if (next === '\n') continue
        text += next !== '' && '$`"\\'.includes(next) ? next : `\\${next}`
      } else if (character === '$' || character === '`') {
        if (text !== '') flush()
        isEmpty = false
        parts.push(this.#expansion(true))
      } else {
        text += character
        this.#position++
      }
    }
  }

  #expansion(isQuoted: boolean): WordPart {
    if (this.#script[this.#position] === '`') return this.#backquoted(isQuoted)
    const rest = this.#script.slice(this.#position + 1)
    if (rest.startsWith('((')) throw new ShellSyntaxError("syntax error: '$((' (arithmetic) is not supported")
    if (rest.startsWith('(')) {
      const end = endOfSubstitution(this.#script, this.#position + 2, 0)
      const source = this.#script.slice(this.#position + 2, end)
      this.#position = end + 1
      return { kind: 'substitution', source, isQuoted }
    }
    if (rest.startsWith('{')) {
      const match = /^\{([A-Za-z_]\w*|[0-9?$#@*])(?::?-([^}'"`$\\]*))?\}/.exec(rest)
      if (match === null) throw new ShellSyntaxError(`syntax error: '$${rest.slice(0, 20)}' is a bad substitution`)
      this.#position += 1 + match[0].length
      return { kind: 'variable', name: match[1] ?? '', fallback: match[2] ?? null, isQuoted }
    }
    const name = /^(?:[A-Za-z_]\w*|[0-9?$#@*])/.exec(rest)?.[0]
    this.#position += 1 + (name?.length ?? 0)
    if (name === undefined) return { kind: 'text', text: '$', isQuoted: true }
    return { kind: 'variable', name, fallback: null, isQuoted }
  }

  #backquoted(isQuoted: boolean): WordPart {
    let source = ''
    for (let at = this.#position + 1; at < this.#script.length; at++) {
      const character = this.#script[at]!
      if (character === '`') {
        this.#position = at + 1
        return { kind: 'substitution', source, isQuoted }
      }
      const next = this.#script[at + 1]
      if (character === '\\' && next !== undefined && '$`\\'.includes(next)) {
        source += next
        at++
      } else source += character
    }
    throw new ShellSyntaxError('syntax error: unterminated quoted string (`)')
  }
}

/** Index of the `)` that ends a `$(` whose inside starts at `start`. */
function endOfSubstitution(script: string, start: number, depth: number): number {
  if (depth > substitutionDepthLimit) throw new ShellSyntaxError("syntax error: '$(' is nested too deeply")
  let open = 1
  for (let at = start; at < script.length; at++) {
    const character = script[at]
    if (character === '\\') at++
    else if (character === "'") {
      const end = script.indexOf("'", at + 1)
      if (end === -1) break
      at = end
    } else if (character === '"') at = endOfDoubleQuote(script, at + 1, depth)
    else if (character === '(') open++
    else if (character === ')' && --open === 0) return at
  }
  throw new ShellSyntaxError("syntax error: '$(' without ')'")
}

function endOfDoubleQuote(script: string, start: number, depth: number): number {
  for (let at = start; at < script.length; at++) {
    if (script[at] === '\\') at++
    else if (script[at] === '"') return at
    else if (script[at] === '$' && script[at + 1] === '(') at = endOfSubstitution(script, at + 2, depth + 1)
  }
  throw new ShellSyntaxError('syntax error: unterminated quoted string (")')
}
