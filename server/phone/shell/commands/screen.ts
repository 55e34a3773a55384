import { CommandError, pathOf, print, usage, type CommandCall, type ShellCommand } from '@/server/phone/shell/command'
import { screenDensity } from '@/server/phone/shell/shell-device'
import { FileError } from '@/server/phone/shell/virtual-files'
import { am, pm } from './activity'
import { input } from './input'

const wm: ShellCommand = async (call) => {
  const [what, value] = call.args
  const { machine } = call.device
  if (value !== undefined && value !== 'reset') throw new CommandError('the screen of this device has a fixed size', 1)
  if (what === 'size') await print(call.stdout, `Physical size: ${machine.width}x${machine.height}\n`)
  else if (what === 'density') await print(call.stdout, `Physical density: ${screenDensity}\n`)
  else return usage(call, 'wm size | density')
  return 0
}

const defaultDumpPath = '/sdcard/window_dump.xml'

/** The sentence after it is Android's, misspelt there too: tools look for it. */
const uiautomator: ShellCommand = async (call) => {
  const [verb, ...rest] = call.args
  if (verb !== 'dump') return usage(call, 'uiautomator dump [--compressed] [FILE]')
  const target = rest.find((argument) => !argument.startsWith('--')) ?? defaultDumpPath
  const xml = call.device.machine.hierarchyXml()
  if (target === '/dev/tty' || target === '/proc/self/fd/1') await print(call.stdout, xml)
  else call.device.files.write(pathOf(call, target), Buffer.from(xml, 'utf8'))
  await print(call.stdout, `UI hierchary dumped to: ${target}\n`)
  return 0
}

const screencap: ShellCommand = async (call) => {
  const operands = call.args.filter((argument, index) => !argument.startsWith('-') && call.args[index - 1] !== '-d')
  const [target] = operands
  const isPng = call.args.includes('-p') || target?.endsWith('.png') === true
  const image = isPng ? call.device.capturePng() : rawImage(call)
  if (target === undefined) await call.stdout.write(image)
  else call.device.files.write(pathOf(call, target), image)
  return 0
}

/** Without `-p`: width, height, format 1 (RGBA_8888) and colour space 1 (sRGB) as u32 little-endian, then the pixels. */
function rawImage(call: CommandCall): Uint8Array {
  const { width, height } = call.device.machine
  const header = Buffer.alloc(16)
  for (const [index, value] of [width, height, 1, 1].entries()) header.writeUInt32LE(value, index * 4)
  const rgba = call.device.captureRgba()
  return Buffer.concat([header, Buffer.from(rgba.buffer, rgba.byteOffset, rgba.length)])
}

const dumpsys: ShellCommand = async (call) => {
  const [service = '', ...rest] = call.args
  const { machine } = call.device
  const { packageName, activity } = machine.foreground()
  const component = `${packageName}/${activity}`
  const window = `Window{7a91 u0 ${packageName}/${activity.startsWith('.') ? packageName + activity : activity}}`
  const record = `ActivityRecord{51e3 u0 ${component} t1}`
  switch (service) {
    case 'window':
      await print(
        call.stdout,
        [
          'WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)',
          '  Display: mDisplayId=0',
          `    init=${machine.width}x${machine.height} ${screenDensity}dpi cur=${machine.width}x${machine.height} app=${machine.width}x${machine.height}`,
          '    mCurrentRotation=ROTATION_0',
          `  mCurrentFocus=${window}`,
          `  mFocusedApp=${record}`,
          '  mAwake=true mScreenOn=true',
          '',
        ].join('\n'),
      )
      return 0
    case 'activity':
      await print(
        call.stdout,
        [
          'ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)',
          'Display #0 (activities from top to bottom):',
          `  topResumedActivity=${record}`,
          `    mResumedActivity: ${record}`,
          `  ResumedActivity: ${record}`,
          '',
        ].join('\n'),
      )
      return 0
    case 'battery':
      await print(
        call.stdout,
        [
          'Current Battery Service state:',
          '  AC powered: false',
          '  USB powered: true',
          '  status: 2',
          '  health: 2',
          '  present: true',
          '  level: 100',
          '  scale: 100',
          '  temperature: 250',
          '',
        ].join('\n'),
      )
      return 0
    case 'package': {
      const app = machine.packages().find((known) => known.packageName === rest[0])
      if (app === undefined) throw new CommandError(`Unable to find package: ${rest[0] ?? ''}`)
      await print(
        call.stdout,
        `Packages:\n  Package [${app.packageName}]\n    versionName=1.0\n    versionCode=1 targetSdk=34\n`,
      )
      return 0
    }
    default:
      await print(call.stderr, `Can't find service: ${service}\n`)
      return service === '' ? 2 : 1
  }
}

/** `cmd SERVICE …`: the two services that have a command of their own here. */
const cmd: ShellCommand = async (call) => {
  const [service = '', ...args] = call.args
  if (service === 'package') return pm({ ...call, name: 'pm', args })
  if (service === 'activity') return am({ ...call, name: 'am', args })
  if (service === 'input') return input({ ...call, name: 'input', args })
  await print(call.stderr, `cmd: Can't find service: ${service}\n`)
  return 20
}

const appProcess: ShellCommand = async (call) => {
  // Options of the runtime (-D…) stand before the directory, the class after it.
  const directory = call.args.findIndex((argument) => !argument.startsWith('-'))
  const [className, ...args] = call.args.slice(directory + 1)
  if (directory === -1 || className === undefined)
    return usage(call, 'app_process [JAVA-OPTIONS] DIR CLASS [ARGUMENTS]')
  const classPath = call.session.variables.get('CLASSPATH') ?? ''
  if (className !== 'com.genymobile.scrcpy.Server' || !hasFile(call, classPath)) {
    await print(call.stderr, `Error: could not find class '${className}'\nAborted\n`)
    return 134
  }
  return call.device.runScrcpyServer(args, call.stdout, call.signal)
}

function hasFile(call: CommandCall, classPath: string): boolean {
  try {
    return classPath
      .split(':')
      .some((path) => path !== '' && call.device.files.stat(pathOf(call, path)).kind === 'file')
  } catch (error) {
    if (error instanceof FileError) return false
    throw error
  }
}

export const screenCommands: Record<string, ShellCommand> = {
  wm,
  uiautomator,
  screencap,
  dumpsys,
  cmd,
  app_process: appProcess,
  app_process64: appProcess,
}
