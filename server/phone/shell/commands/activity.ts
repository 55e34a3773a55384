import { print, usage, type CommandCall, type ShellCommand } from '@/server/phone/shell/command'

/** The activity in full or short as in `.Main`; null for the one in the launcher. */
type Component = { packageName: string; activity: string | null }

const homeKey = 3
const optionsWithValue = new Set([
  '-a',
  '-c',
  '-d',
  '-t',
  '-f',
  '-p',
  '--user',
  '--display',
  '--es',
  '-e',
  '--ei',
  '--el',
  '--ez',
  '--ef',
])
const extrasWithTwoValues = new Set(['--es', '-e', '--ei', '--el', '--ez', '--ef'])

/** The activity manager: starts and leaves apps. Broadcasts and services have nobody to hear them and are refused. */
export const am: ShellCommand = async (call) => {
  const [verb, ...rest] = call.args
  switch (verb) {
    case 'start':
    case 'start-activity':
      return start(call, rest)
    case 'force-stop':
    case 'kill': {
      const packageName = rest.filter((argument, index) => argument !== '--user' && rest[index - 1] !== '--user')[0]
      if (packageName === undefined) return usage(call, 'am force-stop PACKAGE')
      leave(call, packageName)
      return 0
    }
    case 'get-current-user':
      await print(call.stdout, '0\n')
      return 0
    case 'broadcast':
    case 'startservice':
    case 'start-service':
    case 'start-foreground-service':
    case 'instrument':
      await print(call.stderr, `Error: '${verb}' is not supported on this device\n`)
      return 1
    default:
      return usage(
        call,
        'am start [-W] [-S] (-n COMPONENT | -a ACTION [-c CATEGORY] [-p PACKAGE]) | force-stop PACKAGE',
      )
  }
}

/** Goes home when the app is in front. */
function leave(call: CommandCall, packageName: string): void {
  const { machine, log } = call.device
  log.write('I', 'ActivityManager', `Force stopping ${packageName}`)
  if (machine.foreground().packageName !== packageName) return
  machine.dispatch({ type: 'key', action: 'down', keycode: homeKey, metaState: 0 })
  machine.dispatch({ type: 'key', action: 'up', keycode: homeKey, metaState: 0 })
}

type Intent = {
  component: string | null
  action: string | null
  categories: string[]
  packageName: string | null
  data: string | null
}

async function start(call: CommandCall, args: string[]): Promise<number> {
  const { intent, flags } = readIntent(args)
  await print(call.stdout, `Starting: Intent { ${describe(intent)} }\n`)
  const { machine } = call.device
  const isMain = intent.action === null || intent.action === 'android.intent.action.MAIN'
  if (isMain && intent.categories.includes('android.intent.category.HOME')) {
    machine.dispatch({ type: 'key', action: 'down', keycode: homeKey, metaState: 0 })
    machine.dispatch({ type: 'key', action: 'up', keycode: homeKey, metaState: 0 })
    return finishStart(call, flags)
  }
  const target = intent.component ?? (isMain ? intent.packageName : null)
  if (target === null) {
    await print(call.stderr, `Error: Activity not started, unable to resolve Intent { ${describe(intent)} }\n`)
    return 1
  }
  const component = resolve(call, target)
  if (component !== null && flags.has('-S')) leave(call, component.packageName)
  if (component === null || !startComponent(call, component)) {
    const text = target.includes('/')
      ? `Error: Activity class {${target}} does not exist.`
      : `Error: unable to resolve ${target}`
    await print(call.stderr, `Error type 3\n${text}\n`)
    return 1
  }
  return finishStart(call, flags)
}

async function finishStart(call: CommandCall, flags: Set<string>): Promise<number> {
  if (flags.has('-W')) {
    const { packageName, activity } = call.device.machine.foreground()
    await print(call.stdout, `Status: ok\nLaunchState: WARM\nActivity: ${packageName}/${activity}\nComplete\n`)
  }
  return 0
}

function readIntent(args: string[]): { intent: Intent; flags: Set<string> } {
  const intent: Intent = { component: null, action: null, categories: [], packageName: null, data: null }
  const flags = new Set<string>()
  for (let index = 0; index < args.length; index++) {
    const option = args[index] ?? ''
    if (option === '-n') intent.component = args[++index] ?? null
    else if (optionsWithValue.has(option)) {
      const value = args[++index] ?? ''
      if (option === '-a') intent.action = value
      else if (option === '-c') intent.categories.push(value)
      else if (option === '-p') intent.packageName = value
      else if (option === '-d') intent.data = value
      else if (extrasWithTwoValues.has(option)) index++
    } else if (option.startsWith('-')) flags.add(option)
    else if (option.includes('/') && !option.includes(':')) intent.component = option
    else if (option.includes(':')) intent.data = option
    else intent.packageName = option
  }
  return { intent, flags }
}

function describe(intent: Intent): string {
  const parts = [
    intent.action === null ? null : `act=${intent.action}`,
    intent.categories.length === 0 ? null : `cat=[${intent.categories.join(',')}]`,
    intent.data === null ? null : `dat=${intent.data}`,
    intent.packageName === null ? null : `pkg=${intent.packageName}`,
    intent.component === null ? null : `cmp=${intent.component}`,
  ]
  return parts.filter((part) => part !== null).join(' ')
}

/** The component as the phone knows it; without an activity when it is the launcher's. Null when there is no such app. */
function resolve(call: CommandCall, text: string): Component | null {
  const [packageName = '', activity = ''] = text.split('/')
  const app = call.device.machine.packages().find((known) => known.packageName === packageName)
  if (app === undefined) return null
  const isLauncher = activity === '' || fullName(packageName, activity) === fullName(packageName, app.activity)
  return { packageName, activity: isLauncher ? null : activity }
}

function fullName(packageName: string, activity: string): string {
  return activity.startsWith('.') ? packageName + activity : activity
}

/** Whether the app is in front then: only the phone knows the activities that are not in the launcher. */
function startComponent(call: CommandCall, component: Component): boolean {
  const { packageName, activity } = component
  const text = activity === null ? packageName : `${packageName}/${activity}`
  const { machine, log } = call.device
  machine.dispatch({ type: 'start-app', component: text })
  const front = machine.foreground()
  const isInFront =
    front.packageName === packageName &&
    (activity === null || fullName(packageName, front.activity) === fullName(packageName, activity))
  if (isInFront) log.write('I', 'ActivityTaskManager', `START u0 {cmp=${text}} from uid 2000`)
  return isInFront
}

/** Injects nothing but the launch of one app, which is what `monkey -p PACKAGE 1` is used for. */
export const monkey: ShellCommand = async (call) => {
  const packageName = call.args[call.args.indexOf('-p') + 1]
  if (!call.args.includes('-p') || packageName === undefined) return usage(call, 'monkey -p PACKAGE [-c CATEGORY] 1')
  if (call.args.at(-1) !== '1') {
    await print(call.stderr, 'Error: only one event is supported: it starts the app\n')
    return 2
  }
  const component = resolve(call, packageName)
  if (component === null || !startComponent(call, component)) {
    await print(call.stderr, '** No activities found to run, monkey aborted.\n')
    return 252
  }
  await print(call.stdout, 'Events injected: 1\n')
  return 0
}

export const pm: ShellCommand = async (call) => {
  const [verb, ...rest] = call.args
  const packages = call.device.machine.packages()
  switch (verb) {
    case 'list':
      return list(call, rest)
    case 'path': {
      const app = packages.find(({ packageName }) => packageName === rest.at(-1))
      if (app !== undefined) await print(call.stdout, `package:${apkOf(app.packageName)}\n`)
      return app === undefined ? 1 : 0
    }
    case 'resolve-activity': {
      const app = packages.find(({ packageName }) => packageName === rest.at(-1))
      const text = app === undefined ? 'No activity found' : `${app.packageName}/${app.activity}`
      await print(call.stdout, `${text}\n`)
      return app === undefined ? 1 : 0
    }
    default:
      await print(call.stderr, `Error: pm ${verb ?? ''}: not supported on this device\n`)
      return verb === undefined ? 2 : 1
  }
}

async function list(call: CommandCall, args: string[]): Promise<number> {
  const [what, ...rest] = args
  if (what === 'features') {
    const features = [
      'android.hardware.touchscreen',
      'android.hardware.screen.portrait',
      'android.software.home_screen',
    ]
    await print(call.stdout, features.map((feature) => `feature:${feature}\n`).join(''))
    return 0
  }
  if (what !== 'packages' && what !== 'package') {
    await print(call.stderr, `Error: pm list ${what ?? ''}: not supported on this device\n`)
    return 1
  }
  const filter = rest.find((argument) => !argument.startsWith('-')) ?? ''
  const lines = call.device.machine
    .packages()
    .map(({ packageName }) => packageName)
    .filter((packageName) => packageName.includes(filter))
    .map((packageName) => `package:${rest.includes('-f') ? `${apkOf(packageName)}=` : ''}${packageName}\n`)
  await print(call.stdout, lines.join(''))
  return 0
}

function apkOf(packageName: string): string {
  return `/data/app/${packageName}/base.apk`
}
