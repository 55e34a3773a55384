import { tokenize, type Operator, type Token } from './lexer'
import { ShellSyntaxError, type Command, type CommandList, type Pipeline, type Redirection, type Word } from './syntax'

const depthLimit = 64
const reserved = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'while',
  'until',
  'for',
  'in',
  'do',
  'done',
  '{',
  '}',
  '!',
])
const unsupported = new Set(['case', 'esac', 'function', 'select'])

/** Reads a script by the grammar of POSIX 2.9, without functions and `case`. Throws ShellSyntaxError. */
export function parseScript(script: string): CommandList {
  const parser = new Parser(tokenize(script))
  const list = parser.list([], 0)
  parser.expectEnd()
  return list
}

class Parser {
  readonly #tokens: Token[]
  #position = 0

  constructor(tokens: Token[]) {
    this.#tokens = tokens
  }

  expectEnd(): void {
    const token = this.#tokens[this.#position]
    if (token !== undefined) throw unexpected(token)
  }

  /** Pipelines up to a reserved word of `ends`, a `)` or the end; none is an empty list. */
  list(ends: readonly string[], depth: number): CommandList {
    if (depth > depthLimit) throw new ShellSyntaxError('syntax error: nested too deeply')
    const list: CommandList = []
    let when: CommandList[number]['when'] = 'always'
    for (;;) {
      this.#skip('\n')
      const token = this.#tokens[this.#position]
      const isEnd = token === undefined || isOperator(token, ')') || ends.includes(reservedWord(token) ?? '')
      if (isEnd) {
        if (when !== 'always') throw unexpected(token)
        return list
      }
      list.push({ pipeline: this.#pipeline(depth), when })
      if (this.#take('&&')) when = 'success'
      else if (this.#take('||')) when = 'failure'
      else if (this.#take(';') || this.#take('\n')) when = 'always'
      else {
        const next = this.#tokens[this.#position]
        if (next === undefined || isOperator(next, ')')) return list
        throw unexpected(next)
      }
    }
  }

  #pipeline(depth: number): Pipeline {
    let isNegated = false
    while (this.#takeReserved('!')) isNegated = !isNegated
    const commands = [this.#command(depth)]
    while (this.#take('|')) {
      this.#skip('\n')
      commands.push(this.#command(depth))
    }
    return { commands, isNegated }
  }

  #command(depth: number): Command {
    const token = this.#tokens[this.#position]
    if (token === undefined) throw unexpected(token)
    const keyword = reservedWord(token)
    if (this.#take('(')) {
      const body = this.#body([], depth)
      if (!this.#take(')')) throw unexpected(this.#tokens[this.#position])
      return { kind: 'group', isSubshell: true, body, redirections: this.#redirections() }
    }
    if (keyword === null) return this.#simple()
    this.#position++
    switch (keyword) {
      case '{': {
        const body = this.#body(['}'], depth)
        this.#expect('}')
        return { kind: 'group', isSubshell: false, body, redirections: this.#redirections() }
      }
      case 'if':
        return this.#if(depth)
      case 'while':
      case 'until': {
        const condition = this.#body(['do'], depth)
        const body = this.#loopBody(depth)
        return { kind: 'loop', isUntil: keyword === 'until', condition, body, redirections: this.#redirections() }
      }
      case 'for':
        return this.#for(depth)
      default:
        throw unexpected(token)
    }
  }

  #if(depth: number): Command {
    const branches: { condition: CommandList; body: CommandList }[] = []
    let otherwise: CommandList | null = null
    do {
      const condition = this.#body(['then'], depth)
      this.#expect('then')
      branches.push({ condition, body: this.#body(['elif', 'else', 'fi'], depth) })
    } while (this.#takeReserved('elif'))
    if (this.#takeReserved('else')) otherwise = this.#body(['fi'], depth)
    this.#expect('fi')
    return { kind: 'if', branches, otherwise, redirections: this.#redirections() }
  }

  #for(depth: number): Command {
    const token = this.#tokens[this.#position++]
    const variable = token?.kind === 'word' ? plainText(token.word) : null
    if (variable === null || !/^[A-Za-z_]\w*$/.test(variable)) throw unexpected(token)
    const words: Word[] = []
    this.#skip('\n')
    if (this.#takeReserved('in')) {
      for (let next = this.#tokens[this.#position]; next?.kind === 'word'; next = this.#tokens[this.#position]) {
        words.push(next.word)
        this.#position++
      }
    }
    if (!this.#take(';')) this.#take('\n')
    const body = this.#loopBody(depth)
    return { kind: 'for', variable, words, body, redirections: this.#redirections() }
  }

  #loopBody(depth: number): CommandList {
    this.#skip('\n')
    this.#expect('do')
    const body = this.#body(['done'], depth)
    this.#expect('done')
    return body
  }

  #body(ends: string[], depth: number): CommandList {
    const body = this.list(ends, depth + 1)
    if (body.length === 0) throw unexpected(this.#tokens[this.#position])
    return body
  }

  #simple(): Command {
    const command: Command = { kind: 'simple', assignments: [], words: [], redirections: [] }
    for (;;) {
      const token = this.#tokens[this.#position]
      if (token === undefined || token.kind === 'operator') break
      if (token.kind === 'word') {
        this.#position++
        const assignment = command.words.length === 0 ? splitAssignment(token.word) : null
        if (assignment === null) command.words.push(token.word)
        else command.assignments.push(assignment)
      } else command.redirections.push(...this.#redirections())
    }
    if (command.assignments.length + command.words.length + command.redirections.length === 0) {
      throw unexpected(this.#tokens[this.#position])
    }
    const name = command.words[0] === undefined ? null : plainText(command.words[0])
    if (name !== null && unsupported.has(name)) {
      throw new ShellSyntaxError(`syntax error: '${name}' is not supported by this shell`)
    }
    return command
  }

  #redirections(): Redirection[] {
    const redirections: Redirection[] = []
    for (;;) {
      const token = this.#tokens[this.#position]
      if (token?.kind === 'duplicate') {
        redirections.push(token)
        this.#position++
      } else if (token?.kind === 'redirection') {
        const target = this.#tokens[this.#position + 1]
        if (target?.kind !== 'word') throw unexpected(target)
        redirections.push({ kind: token.operation, descriptor: token.descriptor, target: target.word })
        this.#position += 2
      } else return redirections
    }
  }

  #take(operator: Operator): boolean {
    const token = this.#tokens[this.#position]
    const isHere = token !== undefined && isOperator(token, operator)
    if (isHere) this.#position++
    return isHere
  }

  #skip(operator: Operator): void {
    while (this.#take(operator));
  }

  #takeReserved(word: string): boolean {
    const token = this.#tokens[this.#position]
    const isHere = token !== undefined && reservedWord(token) === word
    if (isHere) this.#position++
    return isHere
  }

  #expect(word: string): void {
    if (!this.#takeReserved(word)) throw unexpected(this.#tokens[this.#position])
  }
}

function isOperator(token: Token, operator: Operator): boolean {
  return token.kind === 'operator' && token.operator === operator
}

function reservedWord(token: Token): string | null {
  const text = token.kind === 'word' ? plainText(token.word) : null
  return text !== null && reserved.has(text) ? text : null
}

function plainText(word: Word): string | null {
  const [part] = word
  return word.length === 1 && part?.kind === 'text' && !part.isQuoted ? part.text : null
}

function splitAssignment(word: Word): { name: string; value: Word } | null {
  const [first, ...rest] = word
  if (first?.kind !== 'text' || first.isQuoted) return null
  const match = /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text)
  if (match === null) return null
  const [, name = '', text = ''] = match
  return { name, value: text === '' ? rest : [{ ...first, text }, ...rest] }
}

function unexpected(token: Token | undefined): ShellSyntaxError {
  if (token === undefined) return new ShellSyntaxError('syntax error: unexpected end of file')
  const text =
    token.kind === 'operator'
      ? token.operator === '\n'
        ? 'newline'
        : token.operator
      : token.kind === 'word'
        ? token.word.map((part) => (part.kind === 'text' ? part.text : '$')).join('')
        : '>'
  return new ShellSyntaxError(`syntax error: unexpected '${text.slice(0, 40)}'`)
}
