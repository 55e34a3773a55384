import { readAll } from '@/server/phone/shell/byte-pipe'
import { CommandError, pathOf, print, ShellExit, usage, wait, type ShellCommand } from '@/server/phone/shell/command'

const printfLimit = 1_048_576

const exit: ShellCommand = ({ args, session }) => {
  const [code] = args
  if (code !== undefined && !/^\d{1,9}$/.test(code)) throw new CommandError(`${code}: bad number`)
  throw new ShellExit(code === undefined ? session.status : Number(code) & 0xff)
}

const cd: ShellCommand = async (call) => {
  const path = pathOf(call, call.args[0] ?? '/')
  if (call.device.files.stat(path).kind !== 'directory') throw new CommandError(`${call.args[0]}: Not a directory`, 2)
  call.session.workingDirectory = path
  return 0
}

const pwd: ShellCommand = async ({ stdout, session }) => {
  await print(stdout, `${session.workingDirectory}\n`)
  return 0
}

const exportVariables: ShellCommand = async ({ args, session, stdout }) => {
  if (args.length === 0) {
    const lines = [...session.exported]
      .toSorted()
      .map((name) => `export ${name}=${session.variables.get(name) ?? ''}\n`)
    await print(stdout, lines.join(''))
  }
  for (const argument of args) {
    const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(argument) ?? []
    if (name === undefined) throw new CommandError(`${argument}: is not an identifier`)
    if (value !== undefined) session.variables.set(name, value)
    session.exported.add(name)
  }
  return 0
}

const unset: ShellCommand = async ({ args, session }) => {
  for (const name of args) {
    session.variables.delete(name)
    session.exported.delete(name)
  }
  return 0
}

const env: ShellCommand = async ({ session, stdout }) => {
  const names = [...session.exported].filter((name) => session.variables.has(name)).toSorted()
  await print(stdout, names.map((name) => `${name}=${session.variables.get(name)}\n`).join(''))
  return 0
}

const echo: ShellCommand = async ({ args, stdout }) => {
  let words = [...args]
  let isNewlineWanted = true
  let isEscaped = false
  while (words[0] !== undefined && /^-[neE]+$/.test(words[0])) {
    if (words[0].includes('n')) isNewlineWanted = false
    isEscaped = words[0].includes('e')
    words = words.slice(1)
  }
  const text = words.join(' ')
  await print(stdout, (isEscaped ? unescape(text) : text) + (isNewlineWanted ? '\n' : ''))
  return 0
}

/** The format is used again while arguments are left, as POSIX has it. */
const printf: ShellCommand = async (call) => {
  const [format, ...rest] = call.args
  if (format === undefined) return usage(call, 'printf FORMAT [ARGUMENT…]')
  let text = ''
  let values = rest
  do {
    const left = values.length
    text += formatOnce(format, values, (remaining) => (values = remaining))
    if (values.length === left) break
  } while (values.length > 0 && text.length < printfLimit)
  await print(call.stdout, text)
  return 0
}

function formatOnce(format: string, given: string[], keep: (remaining: string[]) => void): string {
  const values = [...given]
  const text = unescape(format).replaceAll(
    /%(?:%|([-0]?)(\d{0,4})([sdiuxXcb]))/g,
    (whole, flag: string | undefined, width: string | undefined, kind: string | undefined) => {
      if (kind === undefined) return whole === '%%' ? '%' : whole
      const value = convert(kind, values.shift() ?? '')
      const size = Number(width ?? 0)
      return flag === '-' ? value.padEnd(size) : value.padStart(size, flag === '0' ? '0' : ' ')
    },
  )
  keep(values)
  return text
}

function convert(kind: string, value: string): string {
  if (kind === 's') return value
  if (kind === 'b') return unescape(value)
  if (kind === 'c') return value.slice(0, 1)
  const number = Math.trunc(Number(value))
  if (!Number.isSafeInteger(number)) throw new CommandError(`${value}: not an integer`)
  if (kind === 'x') return number.toString(16)
  return kind === 'X' ? number.toString(16).toUpperCase() : String(number)
}

function unescape(text: string): string {
  const plain: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', '\\': '\\' }
  return text.replaceAll(/\\(?:x([0-9a-fA-F]{1,2})|0([0-7]{0,3})|(.))/gs, (whole, hex, octal, letter: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(`0${octal}`, 8) & 0xff)
    return plain[letter] ?? whole
  })
}

const sleep: ShellCommand = async (call) => {
  const units: Record<string, number> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 }
  let seconds = 0
  if (call.args.length === 0) return usage(call, 'sleep DURATION…')
  for (const argument of call.args) {
    const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(argument) ?? []
    if (number === undefined) throw new CommandError(`bad duration '${argument}'`)
    seconds += Number(number) * (units[unit] ?? 1)
  }
  await wait(seconds * 1_000, call.signal)
  return 0
}

const sh: ShellCommand = async (call) => {
  const [first, second, ...rest] = call.args
  if (first === '-c') {
    if (second === undefined) throw new CommandError('-c: needs an argument', 2)
    return call.runScript(second, call, rest.length > 0 ? rest : ['sh'])
  }
  if (first?.startsWith('-') === true) throw new CommandError(`${first}: unknown option`, 2)
  if (first !== undefined) {
    const script = Buffer.from(call.device.files.read(pathOf(call, first))).toString('utf8')
    return call.runScript(script, call, call.args)
  }
  const script = (await readAll(call.stdin, 1_048_576)).toString('utf8')
  return call.runScript(script, call, ['sh'])
}

const test: ShellCommand = async (call) => {
  const args = [...call.args]
  if (call.name === '[' && args.pop() !== ']') throw new CommandError('missing ]', 2)
  const isNegated = args[0] === '!' && args.length > 1
  const holds = evaluateTest(isNegated ? args.slice(1) : args, (path) =>
    call.device.files.statIfExists(pathOf(call, path)),
  )
  return Number(holds === isNegated)
}

function evaluateTest(
  args: string[],
  stat: (path: string) => { kind: string; size: number; mode: number } | null,
): boolean {
  const [left = '', operator = '', right = ''] = args
  if (args.length === 0) return false
  if (args.length === 1) return left !== ''
  if (args.length === 2) {
    const file = stat(operator)
    switch (left) {
      case '-e':
      case '-r':
        return file !== null
      case '-f':
        return file?.kind === 'file'
      case '-d':
        return file?.kind === 'directory'
      case '-s':
        return file !== null && file.size > 0
      case '-w':
        return file !== null && (file.mode & 0o222) !== 0
      case '-x':
        return file !== null && (file.mode & 0o111) !== 0
      case '-z':
        return operator === ''
      case '-n':
        return operator !== ''
      default:
        throw new CommandError(`${left}: unexpected operator/operand`, 2)
    }
  }
  if (args.length > 3) throw new CommandError('too many arguments', 2)
  if (operator === '=' || operator === '==') return left === right
  if (operator === '!=') return left !== right
  const [a, b] = [Number(left), Number(right)]
  const comparisons: Record<string, boolean> = {
    '-eq': a === b,
    '-ne': a !== b,
    '-lt': a < b,
    '-le': a <= b,
    '-gt': a > b,
    '-ge': a >= b,
  }
  const result = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  if (result === undefined) throw new CommandError(`${operator}: unexpected operator/operand`, 2)
  if (!Number.isInteger(a) || !Number.isInteger(b)) throw new CommandError('bad number', 2)
  return result
}

export const shellBuiltins: Record<string, ShellCommand> = {
  exit,
  cd,
  pwd,
  export: exportVariables,
  unset,
  env,
  printenv: env,
  echo,
  printf,
  sleep,
  sh,
  test,
  '[': test,
  true: () => Promise.resolve(0),
  ':': () => Promise.resolve(0),
  false: () => Promise.resolve(1),
  set: () => Promise.resolve(0),
}
