import { Script } from 'node:vm'
import { z } from 'zod'
import { readAll } from '@/server/phone/shell/byte-pipe'
import { CommandError, pathOf, print, usage, type CommandCall, type ShellCommand } from '@/server/phone/shell/command'
import { FileError } from '@/server/phone/shell/virtual-files'

/** Reads each operand, or stdin when there is none (or it is `-`). A missing file is reported; the rest go on. */
async function forEachInput(
  call: CommandCall,
  operands: readonly string[],
  use: (bytes: Uint8Array, name: string) => Promise<void>,
): Promise<number> {
  let status = 0
  for (const operand of operands.length === 0 ? ['-'] : operands) {
    try {
      const bytes = operand === '-' ? await readAll(call.stdin) : call.device.files.read(pathOf(call, operand))
      await use(bytes, operand)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await print(call.stderr, `${call.name}: ${operand}: ${error.message}\n`)
      status = 1
    }
  }
  return status
}

const maxTextBytes = 32 * 1_048_576

function textOf(bytes: Uint8Array): string {
  if (bytes.length > maxTextBytes) throw new CommandError('file too large for a text command')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
}

function codePointsIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const cat: ShellCommand = async (call) => {
  const operands = call.args.filter((argument) => argument !== '-u')
  if (operands.length === 0 || operands[0] === '-') {
    for (let chunk = await call.stdin.read(); chunk !== null; chunk = await call.stdin.read())
      await call.stdout.write(chunk)
    return 0
  }
  return forEachInput(call, operands, (bytes) => call.stdout.write(bytes))
}

const wc: ShellCommand = async (call) => {
  const letters = call.args.filter((argument) => /^-[lwcm]+$/.test(argument)).join('')
  const operands = call.args.filter((argument) => !/^-[lwcm]+$/.test(argument))
  return forEachInput(call, operands, async (bytes, name) => {
    const text = textOf(bytes)
    const counts: [string, number][] = [
      ['l', text.split('\n').length - 1],
      ['w', text.split(/\s+/).filter((word) => word !== '').length],
      ['c', bytes.length],
      ['m', codePointsIn(text)],
    ]
    const wanted = counts.filter(([letter]) => (letters === '' ? letter !== 'm' : letters.includes(letter)))
    const suffix = name === '-' ? '' : ` ${name}`
    await print(call.stdout, `${wanted.map(([, count]) => count).join(' ')}${suffix}\n`)
  })
}

/** `head` and `tail`: the first or last lines (`-n 5`, `-5`) or bytes (`-c 5`). */
function edge(isHead: boolean): ShellCommand {
  return async (call) => {
    let count = 10
    let isBytes = false
    const operands: string[] = []
    for (let index = 0; index < call.args.length; index++) {
      const argument = call.args[index] ?? ''
      const [, kind, attached] = /^-(n|c|)(\d*)$/.exec(argument) ?? []
      if (kind === undefined || argument === '-') {
        operands.push(argument)
        continue
      }
      const number = attached === '' ? (call.args[++index] ?? '') : attached
      if (number === undefined || !/^\d{1,9}$/.test(number)) throw new CommandError(`bad count '${number}'`)
      count = Number(number)
      isBytes = kind === 'c'
    }
    return forEachInput(call, operands, async (bytes) => {
      if (isBytes)
        return call.stdout.write(isHead ? bytes.subarray(0, count) : bytes.subarray(Math.max(0, bytes.length - count)))
      const lines = textOf(bytes).split(/(?<=\n)/)
      const kept = isHead ? lines.slice(0, count) : count === 0 ? [] : lines.slice(-count)
      return print(call.stdout, kept.join(''))
    })
  }
}

const grep: ShellCommand = async (call) => {
  const flags = new Set<string>()
  const patterns: string[] = []
  const operands: string[] = []
  for (let index = 0; index < call.args.length; index++) {
    const argument = call.args[index] ?? ''
    if (argument === '-e') patterns.push(call.args[++index] ?? '')
    else if (/^-[ivcnqoFEwhHl]+$/.test(argument)) for (const letter of argument.slice(1)) flags.add(letter)
    else if (argument.startsWith('-') && argument !== '-') throw new CommandError(`Unknown option '${argument}'`, 2)
    else operands.push(argument)
  }
  if (patterns.length === 0) {
    const pattern = operands.shift()
    if (pattern === undefined) return usage(call, 'grep [-ivcnqoFEwhHl] PATTERN [FILE…]')
    patterns.push(pattern)
  }
  const isNamed = flags.has('H') || (operands.length > 1 && !flags.has('h'))
  let isFound = false
  const status = await forEachInput(call, operands, async (bytes, name) => {
    const lines = bytes.length === 0 ? [] : textOf(bytes).replace(/\n$/, '').split('\n')
    const hits = matchLines(lines, patterns, flags)
    if (hits.length > 0) isFound = true
    const prefix = isNamed ? `${name}:` : ''
    if (flags.has('q')) return
    if (flags.has('l')) return print(call.stdout, hits.length > 0 ? `${name}\n` : '')
    if (flags.has('c')) return print(call.stdout, `${prefix}${hits.length}\n`)
    const output = hits.flatMap(({ index, found }) => {
      const position = flags.has('n') ? `${prefix}${index + 1}:` : prefix
      return (flags.has('o') ? found : [lines[index] ?? '']).map((text) => `${position}${text}\n`)
    })
    return print(call.stdout, output.join(''))
  })
  return status === 0 ? Number(!isFound) : 2
}

const matchTimeoutMs = 1_000
const matchScript = new Script(`
  const hits = []
  for (const [index, line] of lines.entries()) {
    const found = sources.flatMap((source) => line.match(new RegExp(source, flags)) ?? [])
    if ((found.length > 0) !== isInverted) hits.push({ index, found: found.filter((text) => text !== '') })
  }
  hits
`)
const matchesSchema = z.array(z.object({ index: z.number(), found: z.array(z.string()) }))

/** The lines that match, and what in them. A pattern that backtracks for over a second is stopped: only `vm` can do that. */
function matchLines(lines: string[], patterns: string[], flags: Set<string>): z.infer<typeof matchesSchema> {
  const sources = patterns.map((pattern) => toExpression(pattern, flags))
  const surroundings = { lines, sources, flags: flags.has('i') ? 'gi' : 'g', isInverted: flags.has('v') }
  try {
    return matchesSchema.parse(matchScript.runInNewContext(surroundings, { timeout: matchTimeoutMs }))
  } catch (error) {
    const reason = error instanceof Error || isForeignError(error) ? error.message : String(error)
    throw new CommandError(`bad REGEX '${patterns.join("' '")}': ${reason}`, 2)
  }
}

/** An error made inside `vm` is not an instance of our Error. */
function isForeignError(error: unknown): error is { message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}

/** A grep pattern as a JavaScript regular expression. */
function toExpression(pattern: string, flags: Set<string>): string {
  let source = pattern
  if (flags.has('F')) source = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  else if (!flags.has('E')) {
    // In basic expressions + ? | ( ) { } are plain, and special after a backslash.
    source = source.replaceAll(/\\([+?|(){}])|([+?|(){}])/g, (_, special: string | undefined, plain: string) => {
      return special ?? `\\${plain}`
    })
  }
  return flags.has('w') ? `\\b(?:${source})\\b` : source
}

const sort: ShellCommand = async (call) => {
  const operands = call.args.filter((argument) => !argument.startsWith('-'))
  const isReversed = call.args.includes('-r')
  const isUnique = call.args.includes('-u')
  const lines: string[] = []
  const status = await forEachInput(call, operands, async (bytes) => {
    const text = textOf(bytes).replace(/\n$/, '')
    if (bytes.length > 0) for (const line of text.split('\n')) lines.push(line)
  })
  const sorted = (isUnique ? [...new Set(lines)] : lines).toSorted((a, b) => (a < b ? -1 : Number(a > b)))
  if (isReversed) sorted.reverse()
  await print(call.stdout, sorted.map((line) => `${line}\n`).join(''))
  return status
}

const base64: ShellCommand = async (call) => {
  const isDecoding = call.args.includes('-d')
  const operands = call.args.filter((argument) => !/^-[dw]/.test(argument) && argument !== '0')
  return forEachInput(call, operands, async (bytes) => {
    if (isDecoding) return call.stdout.write(Buffer.from(Buffer.from(bytes).toString('latin1'), 'base64'))
    const text = Buffer.from(bytes).toString('base64')
    const isWrapped = !call.args.includes('-w0') && !call.args.includes('0')
    return print(call.stdout, isWrapped ? text.replaceAll(/(.{1,76})/g, '$1\n') : `${text}\n`)
  })
}

const tee: ShellCommand = async (call) => {
  const isAppending = call.args.includes('-a')
  const operands = call.args.filter((argument) => argument !== '-a')
  const writers = operands.map((operand) =>
    call.device.files.openWriter(pathOf(call, operand), { append: isAppending }),
  )
  for (let chunk = await call.stdin.read(); chunk !== null; chunk = await call.stdin.read()) {
    for (const writer of writers) writer.append(chunk)
    await call.stdout.write(chunk)
  }
  return 0
}

export const textCommands: Record<string, ShellCommand> = {
  cat,
  wc,
  head: edge(true),
  tail: edge(false),
  grep,
  egrep: (call) => grep({ ...call, args: ['-E', ...call.args] }),
  sort,
  base64,
  tee,
}
