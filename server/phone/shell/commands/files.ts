import { createHash } from 'node:crypto'
import {
  CommandError,
  pathOf,
  print,
  readOptions,
  usage,
  type CommandCall,
  type ShellCommand,
} from '@/server/phone/shell/command'
import { baseName, FileError, type FileStat } from '@/server/phone/shell/virtual-files'

const ls: ShellCommand = async (call) => {
  const { options, operands } = readOptions(call.args, 'laAd1hRFi')
  const paths = operands.length === 0 ? ['.'] : operands
  let status = 0
  const files: { name: string; stat: FileStat }[] = []
  const directories: string[] = []
  for (const path of paths) {
    try {
      const stat = call.device.files.stat(pathOf(call, path))
      if (stat.kind === 'directory' && !options.has('d')) directories.push(path)
      else files.push({ name: path, stat })
    } catch (error) {
      status = await complain(call, path, error)
    }
  }
  await print(call.stdout, formatEntries(files, options))
  for (const directory of directories) {
    if (paths.length > 1) await print(call.stdout, `${files.length > 0 ? '\n' : ''}${directory}:\n`)
    await print(call.stdout, listDirectory(call, directory, options))
  }
  return status
}

function listDirectory(call: CommandCall, directory: string, options: Set<string>): string {
  const path = pathOf(call, directory)
  let entries = call.device.files.list(path)
  if (options.has('a')) {
    const dots = ['.', '..'].map((name) => ({ name, stat: call.device.files.stat(`${path}/${name}`) }))
    entries = [...dots, ...entries]
  } else if (!options.has('A')) entries = entries.filter(({ name }) => !name.startsWith('.'))
  const total = options.has('l') ? `total ${entries.reduce((sum, { stat }) => sum + blocks(stat), 0)}\n` : ''
  return total + formatEntries(entries, options)
}

function formatEntries(entries: { name: string; stat: FileStat }[], options: Set<string>): string {
  if (!options.has('l')) return entries.map(({ name }) => `${name}\n`).join('')
  const width = Math.max(0, ...entries.map(({ stat }) => String(stat.size).length))
  return entries
    .map(({ name, stat }) => {
      const time = formatMinute(stat.modifiedAt)
      return `${modeText(stat)} ${stat.linkCount} shell shell ${String(stat.size).padStart(width)} ${time} ${name}\n`
    })
    .join('')
}

function blocks(stat: FileStat): number {
  return Math.ceil(stat.size / 1_024)
}

function modeText(stat: FileStat): string {
  const type = { file: '-', directory: 'd', device: 'c' }[stat.kind]
  return type + [...'rwxrwxrwx'].map((letter, bit) => ((stat.mode >> (8 - bit)) & 1 ? letter : '-')).join('')
}

/** `2026-01-31 08:05`, UTC. */
function formatMinute(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 16).replace('T', ' ')
}

async function complain(call: CommandCall, path: string, error: unknown): Promise<number> {
  if (!(error instanceof FileError)) throw error
  await print(call.stderr, `${call.name}: ${path}: ${error.message}\n`)
  return 1
}

/** Does something to each operand; what fails is reported and does not stop the rest. */
async function forEach(
  call: CommandCall,
  operands: string[],
  act: (path: string) => Promise<void> | void,
): Promise<number> {
  let status = 0
  for (const operand of operands) {
    try {
      await act(operand)
    } catch (error) {
      status = await complain(call, operand, error)
    }
  }
  return status
}

const rm: ShellCommand = async (call) => {
  const { options, operands } = readOptions(call.args, 'rRfi')
  const isForced = options.has('f')
  const recursive = options.has('r') || options.has('R')
  if (operands.length === 0 && !isForced) return usage(call, 'rm [-fr] FILE…')
  return forEach(call, operands, (operand) => {
    const path = pathOf(call, operand)
    const stat = call.device.files.statIfExists(path)
    if (stat === null && isForced) return
    if (stat?.kind === 'directory' && !recursive) throw new FileError('EISDIR')
    call.device.files.remove(path, { recursive })
  })
}

const rmdir: ShellCommand = (call) =>
  forEach(call, readOptions(call.args, 'p').operands, (operand) => {
    const path = pathOf(call, operand)
    if (call.device.files.stat(path).kind !== 'directory') throw new FileError('ENOTDIR')
    call.device.files.remove(path)
  })

const mkdir: ShellCommand = async (call) => {
  const { options, operands } = readOptions(call.args, 'pv')
  if (operands.length === 0) return usage(call, 'mkdir [-p] DIR…')
  return forEach(call, operands, (operand) => {
    call.device.files.makeDirectory(pathOf(call, operand), { parents: options.has('p') })
  })
}

const touch: ShellCommand = async (call) => {
  const { options, operands } = readOptions(call.args, 'cam')
  if (operands.length === 0) return usage(call, 'touch [-c] FILE…')
  return forEach(call, operands, (operand) => {
    const path = pathOf(call, operand)
    if (call.device.files.statIfExists(path) === null) {
      if (!options.has('c')) call.device.files.write(path, new Uint8Array(0))
      return
    }
    call.device.files.checkWritable(path)
    call.device.files.setAttributes(path, { modifiedAt: call.device.machine.now() })
  })
}

const chmod: ShellCommand = async (call) => {
  const { options, operands } = readOptions(
    call.args.filter((argument) => !/^[-+=][rwxst]+$/.test(argument) || argument === '-R'),
    'R',
  )
  const symbolic = call.args.find((argument) => /^[ugoa]*[-+=][rwx]+$/.test(argument))
  const modeText = symbolic ?? operands[0]
  const paths = operands.filter((operand) => operand !== modeText)
  if (modeText === undefined || paths.length === 0) return usage(call, 'chmod [-R] MODE FILE…')
  if (symbolic === undefined && !/^[0-7]{1,4}$/.test(modeText)) throw new CommandError(`bad mode '${modeText}'`)
  const { files } = call.device
  const change = (path: string) => {
    files.checkWritable(path)
    const stat = files.stat(path)
    files.setAttributes(path, {
      mode: symbolic === undefined ? Number.parseInt(modeText, 8) : applyMode(stat, symbolic),
    })
    if (options.has('R') && stat.kind === 'directory')
      for (const { name } of files.list(path)) change(`${path}/${name}`)
  }
  return forEach(call, paths, (operand) => change(pathOf(call, operand)))
}

function applyMode(stat: FileStat, symbolic: string): number {
  const [, who = '', operator = '', letters = ''] = /^([ugoa]*)([-+=])([rwx]+)$/.exec(symbolic) ?? []
  const bits = [...letters].reduce((sum, letter) => sum | { r: 4, w: 2, x: 1 }[letter as 'r' | 'w' | 'x'], 0)
  const everyone = who === '' || who.includes('a')
  let mode = stat.mode & 0o7777
  for (const [letter, shift] of [
    ['u', 6],
    ['g', 3],
    ['o', 0],
  ] as const) {
    if (!everyone && !who.includes(letter)) continue
    if (operator === '=') mode = (mode & ~(7 << shift)) | (bits << shift)
    else mode = operator === '+' ? mode | (bits << shift) : mode & ~(bits << shift)
  }
  return mode
}

/** Where `cp` and `mv` put a source: into the target when that is a directory. */
function targetOf(call: CommandCall, source: string, target: string): string {
  const path = pathOf(call, target)
  return call.device.files.statIfExists(path)?.kind === 'directory' ? `${path}/${baseName(pathOf(call, source))}` : path
}

const cp: ShellCommand = async (call) => {
  const { options, operands } = readOptions(call.args, 'rRfpa')
  const target = operands.pop()
  if (target === undefined || operands.length === 0) return usage(call, 'cp [-rfp] SOURCE… DEST')
  if (operands.length > 1 && call.device.files.statIfExists(pathOf(call, target))?.kind !== 'directory') {
    throw new CommandError(`'${target}' not directory`)
  }
  const { files } = call.device
  const isRecursive = options.has('r') || options.has('R') || options.has('a')
  const copy = (from: string, to: string) => {
    const stat = files.stat(from)
    if (stat.kind !== 'directory') {
      files.write(to, files.read(from), { mode: stat.mode & 0o7777 })
      return
    }
    if (!isRecursive) throw new FileError('EISDIR')
    if (`${to}/`.startsWith(`${from}/`)) throw new FileError('EINVAL')
    files.makeDirectory(to, { parents: true })
    for (const { name } of files.list(from)) copy(`${from}/${name}`, `${to}/${name}`)
  }
  return forEach(call, operands, (operand) => {
    const from = pathOf(call, operand)
    const to = targetOf(call, operand, target)
    if (from === to) throw new CommandError(`'${operand}' is '${target}'`)
    copy(from, to)
  })
}

const mv: ShellCommand = async (call) => {
  const { operands } = readOptions(call.args, 'fin')
  const target = operands.pop()
  if (target === undefined || operands.length === 0) return usage(call, 'mv [-f] SOURCE… DEST')
  return forEach(call, operands, (operand) => {
    call.device.files.rename(pathOf(call, operand), targetOf(call, operand, target))
  })
}

const stat: ShellCommand = async (call) => {
  const isFormatted = call.args[0] === '-c'
  const format = isFormatted ? call.args[1] : undefined
  const operands = call.args.slice(isFormatted ? 2 : 0)
  if (operands.length === 0) return usage(call, 'stat [-c FORMAT] FILE…')
  return forEach(call, operands, async (operand) => {
    const found = call.device.files.stat(pathOf(call, operand))
    await print(call.stdout, format === undefined ? describe(operand, found) : formatStat(format, operand, found))
  })
}

function formatStat(format: string, name: string, found: FileStat): string {
  const values: Record<string, string> = {
    n: name,
    s: String(found.size),
    a: (found.mode & 0o7777).toString(8),
    A: modeText(found),
    F: kindText(found),
    Y: String(Math.floor(found.modifiedAt / 1_000)),
    y: `${formatMinute(found.modifiedAt)}:00`,
    i: String(found.inode),
    h: String(found.linkCount),
    u: '2000',
    g: '2000',
    U: 'shell',
    G: 'shell',
    '%': '%',
  }
  return `${format.replaceAll(/%(.)/g, (whole, letter: string) => (Object.hasOwn(values, letter) ? (values[letter] ?? whole) : whole))}\n`
}

function describe(name: string, found: FileStat): string {
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0')
  return [
    `  File: ${name}`,
    `  Size: ${found.size}\t Blocks: ${blocks(found) * 2}\t IO Blocks: 512\t${kindText(found)}`,
    `Device: 0\t Inode: ${found.inode}\t Links: ${found.linkCount}`,
    `Access: (${mode}/${modeText(found)})\tUid: ( 2000/   shell)\tGid: ( 2000/   shell)`,
    `Modify: ${formatMinute(found.modifiedAt)}`,
    '',
  ].join('\n')
}

function kindText(found: FileStat): string {
  return { file: 'regular file', directory: 'directory', device: 'character device' }[found.kind]
}

function hashCommand(algorithm: 'sha256' | 'sha1' | 'md5'): ShellCommand {
  return async (call) => {
    const { options, operands } = readOptions(call.args, 'b')
    const suffix = (name: string) => (options.has('b') ? '' : `  ${name}`)
    if (operands.length === 0) {
      const hash = createHash(algorithm)
      for (let chunk = await call.stdin.read(); chunk !== null; chunk = await call.stdin.read()) hash.update(chunk)
      await print(call.stdout, `${hash.digest('hex')}${suffix('-')}\n`)
      return 0
    }
    return forEach(call, operands, async (operand) => {
      const bytes = call.device.files.read(pathOf(call, operand))
      await print(call.stdout, `${createHash(algorithm).update(bytes).digest('hex')}${suffix(operand)}\n`)
    })
  }
}

const df: ShellCommand = async ({ stdout, device }) => {
  const [total, used] = [device.files.limitBytes, device.files.usedBytes].map((bytes) => Math.ceil(bytes / 1_024))
  const free = (total ?? 0) - (used ?? 0)
  await print(stdout, `Filesystem 1K-blocks Used Available Mounted on\n/dev/memory ${total} ${used} ${free} /data\n`)
  return 0
}

export const fileCommands: Record<string, ShellCommand> = {
  ls,
  rm,
  rmdir,
  mkdir,
  touch,
  chmod,
  cp,
  mv,
  stat,
  df,
  md5sum: hashCommand('md5'),
  sha1sum: hashCommand('sha1'),
  sha256sum: hashCommand('sha256'),
}
