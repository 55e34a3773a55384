import { CommandError, print, usage, type CommandCall, type ShellCommand } from '@/server/phone/shell/command'
import type { LogLine } from '@/server/phone/shell/phone-log'

const id: ShellCommand = async ({ args, stdout }) => {
  const groups = '1004(input),1007(log),1011(adb),1015(sdcard_rw),3003(inet)'
  const text = args.includes('-u')
    ? '2000'
    : `uid=2000(shell) gid=2000(shell) groups=2000(shell),${groups} context=u:r:shell:s0`
  await print(stdout, `${text}\n`)
  return 0
}

const whoami: ShellCommand = async ({ stdout }) => {
  await print(stdout, 'shell\n')
  return 0
}

const uname: ShellCommand = async ({ args, stdout }) => {
  const fields: Record<string, string> = {
    s: 'Linux',
    n: 'localhost',
    r: '6.1.0-tapline',
    v: '#1 SMP PREEMPT',
    m: 'aarch64',
  }
  const letters = args.length === 0 ? 's' : args.join('').includes('a') ? 'snrvm' : args.join('').replaceAll('-', '')
  const unknown = [...letters].find((letter) => !Object.hasOwn(fields, letter))
  if (unknown !== undefined) throw new CommandError(`Unknown option '${unknown}'`)
  await print(stdout, `${[...letters].map((letter) => fields[letter]).join(' ')}\n`)
  return 0
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The phone's own time, UTC. It can't be set: it is part of the state. */
const date: ShellCommand = async (call) => {
  const format = call.args.find((argument) => argument.startsWith('+'))
  const rest = call.args.filter((argument) => argument !== format && argument !== '-u')
  if (rest.length > 0) throw new CommandError('cannot set date: Operation not permitted')
  await print(call.stdout, `${formatDate(format?.slice(1) ?? '%a %b %e %H:%M:%S UTC %Y', call.device.machine.now())}\n`)
  return 0
}

function formatDate(format: string, epochMs: number): string {
  const moment = new Date(epochMs)
  const two = (value: number) => String(value).padStart(2, '0')
  const fields: Record<string, string> = {
    Y: String(moment.getUTCFullYear()),
    m: two(moment.getUTCMonth() + 1),
    d: two(moment.getUTCDate()),
    e: String(moment.getUTCDate()).padStart(2),
    H: two(moment.getUTCHours()),
    M: two(moment.getUTCMinutes()),
    S: two(moment.getUTCSeconds()),
    N: String(moment.getUTCMilliseconds()).padStart(3, '0').padEnd(9, '0'),
    s: String(Math.floor(epochMs / 1_000)),
    F: moment.toISOString().slice(0, 10),
    T: moment.toISOString().slice(11, 19),
    a: days[moment.getUTCDay()] ?? '',
    b: months[moment.getUTCMonth()] ?? '',
    Z: 'UTC',
    z: '+0000',
    '%': '%',
  }
  return format.replaceAll(/%(.)/gs, (whole, letter: string) =>
    Object.hasOwn(fields, letter) ? (fields[letter] ?? '') : whole,
  )
}

const getprop: ShellCommand = async ({ args, stdout, device }) => {
  const [name, fallback] = args
  if (name !== undefined) {
    await print(stdout, `${device.properties.get(name) ?? fallback ?? ''}\n`)
    return 0
  }
  const names = [...device.properties.keys()].toSorted()
  await print(stdout, names.map((key) => `[${key}]: [${device.properties.get(key)}]\n`).join(''))
  return 0
}

const maxProperties = 1_000
const maxPropertyLength = 4_096

const setprop: ShellCommand = async (call) => {
  const [name, value] = call.args
  if (name === undefined || value === undefined) return usage(call, 'setprop NAME VALUE')
  const { properties } = call.device
  const isRefused = name.startsWith('ro.') || name.length > maxPropertyLength || value.length > maxPropertyLength
  if (isRefused || (properties.size >= maxProperties && !properties.has(name))) {
    throw new CommandError(`failed to set property '${name}' to '${value.slice(0, 80)}'`)
  }
  properties.set(name, value)
  return 0
}

const settings: ShellCommand = async (call) => {
  const args = call.args[0] === '--user' ? call.args.slice(2) : call.args
  const [verb, namespace, key, value] = args
  const { settings: table } = call.device
  const isComplete = verb === 'list' || (key !== undefined && (verb !== 'put' || value !== undefined))
  if (namespace === undefined || !['system', 'secure', 'global'].includes(namespace) || !isComplete) {
    return usage(call, 'settings get|put|delete|list system|secure|global [KEY] [VALUE]')
  }
  const name = `${namespace}/${key}`
  switch (verb) {
    case 'get':
      await print(call.stdout, `${table.get(name) ?? 'null'}\n`)
      return 0
    case 'put':
      if ((table.size >= maxProperties && !table.has(name)) || (value ?? '').length > maxPropertyLength) {
        throw new CommandError('too many or too long')
      }
      table.set(name, value ?? '')
      return 0
    case 'delete':
      await print(call.stdout, `Deleted ${table.delete(name) ? 1 : 0} rows\n`)
      return 0
    case 'list': {
      const rows = [...table]
        .filter(([row]) => row.startsWith(`${namespace}/`))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
      await print(call.stdout, rows.map(([row, text]) => `${row.slice(namespace.length + 1)}=${text}\n`).join(''))
      return 0
    }
    default:
      return usage(call, 'settings get|put|delete|list system|secure|global [KEY] [VALUE]')
  }
}

/** `logcat -d` prints what is there; without `-d` it goes on until the stream closes. */
const logcat: ShellCommand = async (call) => {
  const { log } = call.device
  let lastLines = Number.POSITIVE_INFINITY
  let isDump = false
  const filters: string[] = []
  for (let index = 0; index < call.args.length; index++) {
    const argument = call.args[index] ?? ''
    if (argument === '-c') {
      log.clear()
      return 0
    }
    if (argument === '-d') isDump = true
    else if (argument === '-t' || argument === '-T') {
      lastLines = Number(call.args[++index])
      if (!Number.isInteger(lastLines) || lastLines < 1)
        throw new CommandError(`-t ${call.args[index] ?? ''} not a count`)
      if (argument === '-t') isDump = true
    } else if (argument === '-s') filters.push('*:S')
    else if (argument === '-v' || argument === '-b') index++
    else if (argument.startsWith('-')) throw new CommandError(`unrecognized option '${argument}'`)
    else filters.push(argument)
  }
  const isWanted = (line: LogLine) => passesFilters(line, filters)
  const existing = log.lines().filter(isWanted)
  const shown = Number.isFinite(lastLines) ? existing.slice(-lastLines) : existing
  await print(call.stdout, shown.map(formatLogLine).join(''))
  if (!isDump) await follow(call, isWanted)
  return 0
}

async function follow(call: CommandCall, isWanted: (line: LogLine) => boolean): Promise<void> {
  const waiting: string[] = []
  let wake = () => {}
  const unsubscribe = call.device.log.onLine((line) => {
    // A reader that has stopped reading loses the oldest lines.
    if (isWanted(line) && waiting.push(formatLogLine(line)) > 2_000) waiting.shift()
    wake()
  })
  call.signal.addEventListener('abort', () => wake(), { once: true })
  try {
    for (;;) {
      call.signal.throwIfAborted()
      if (waiting.length > 0) await print(call.stdout, waiting.splice(0).join(''))
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    unsubscribe()
  }
}

function passesFilters(line: LogLine, filters: string[]): boolean {
  const levels = 'VDIWEFS'
  const levelOf = (tag: string) => filters.findLast((filter) => filter.split(':')[0] === tag)?.split(':')[1]
  const level = levelOf(line.tag) ?? levelOf('*') ?? 'V'
  return levels.indexOf(line.priority) >= Math.max(0, levels.indexOf(level))
}

function formatLogLine(line: LogLine): string {
  const time = new Date(line.at).toISOString().slice(5, 23).replace('T', ' ')
  const pid = String(line.processId).padStart(5)
  return `${time} ${pid} ${pid} ${line.priority} ${line.tag}: ${line.message}\n`
}

const log: ShellCommand = async ({ args, device }) => {
  const rest = [...args]
  let [priority, tag] = ['I' as LogLine['priority'], 'log']
  while (rest[0]?.startsWith('-') === true) {
    const [option, value = ''] = rest.splice(0, 2)
    const letter = value.toUpperCase()
    if (option === '-p' && (letter === 'V' || letter === 'D' || letter === 'I' || letter === 'W' || letter === 'E')) {
      priority = letter
    } else if (option === '-t') tag = value.slice(0, 80)
    else throw new CommandError(`${option} ${value}: not understood`)
  }
  device.log.write(priority, tag, rest.join(' ').slice(0, 4_000))
  return 0
}

type ProcessRow = { user: string; pid: number; name: string }

function processes(call: CommandCall): ProcessRow[] {
  const system: ProcessRow[] = [
    { user: 'root', pid: 1, name: 'init' },
    { user: 'shell', pid: 410, name: 'adbd' },
    { user: 'system', pid: 612, name: 'system_server' },
  ]
  const apps = call.device.machine.packages().map(({ packageName }, index) => {
    return { user: `u0_a${100 + index}`, pid: 2_000 + index, name: packageName }
  })
  return [...system, ...apps, { user: 'shell', pid: 9_000, name: 'sh' }]
}

const ps: ShellCommand = async (call) => {
  const rows = processes(call).map(({ user, pid, name }) => {
    return `${user.padEnd(14)} ${String(pid).padStart(5)} ${String(pid === 1 ? 0 : 1).padStart(5)} S ${name}\n`
  })
  await print(call.stdout, `USER             PID  PPID S NAME\n${rows.join('')}`)
  return 0
}

const pidof: ShellCommand = async (call) => {
  const found = processes(call).filter(({ name }) => call.args.includes(name))
  if (found.length > 0) await print(call.stdout, `${found.map(({ pid }) => pid).join(' ')}\n`)
  return found.length > 0 ? 0 : 1
}

const which: ShellCommand = async (call) => {
  const found = call.args.filter((name) => call.device.files.statIfExists(`/system/bin/${name}`) !== null)
  await print(call.stdout, found.map((name) => `/system/bin/${name}\n`).join(''))
  return found.length === call.args.length ? 0 : 1
}

export const systemCommands: Record<string, ShellCommand> = {
  id,
  whoami,
  uname,
  date,
  getprop,
  setprop,
  settings,
  logcat,
  log,
  ps,
  pidof,
  which,
}
