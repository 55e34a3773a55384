import { CommandError, usage, wait, type CommandCall, type ShellCommand } from '@/server/phone/shell/command'
import { keycodeOf } from './keycode-of'

const sources = ['touchscreen', 'keyboard', 'mouse', 'dpad', 'touchpad', 'stylus']
const pointerId = 0
const swipeStepMs = 16
const defaultSwipeMs = 300
const longPressMs = 600
const maxSwipeMs = 60_000
const usageText = 'input [SOURCE] tap X Y | swipe X1 Y1 X2 Y2 [MS] | text STRING | keyevent [--longpress] CODE… | press'

/** Injects events as a finger or keyboard would; between the points of a swipe real time passes. */
export const input: ShellCommand = async (call) => {
  const args = [...call.args]
  if (args[0] !== undefined && sources.includes(args[0])) args.shift()
  if (args[0] === '-d') args.splice(0, 2)
  const [verb, ...rest] = args
  switch (verb) {
    case 'tap': {
      const [x, y] = numbers(rest, 2, 2)
      pointer(call, 'down', x ?? 0, y ?? 0)
      pointer(call, 'up', x ?? 0, y ?? 0)
      return 0
    }
    case 'swipe':
    case 'draganddrop':
      return swipe(call, numbers(rest, 4, 5))
    case 'motionevent':
      return motionEvent(call, rest)
    case 'text':
      if (rest.length === 0) return usage(call, usageText)
      // As on Android, %s stands for a blank.
      call.device.machine.dispatch({ type: 'text', text: rest.join(' ').replaceAll('%s', ' ') })
      return 0
    case 'keyevent':
      return keyEvent(call, rest)
    case 'press':
      press(call, 23)
      return 0
    default:
      return usage(call, usageText)
  }
}

async function swipe(call: CommandCall, values: number[]): Promise<number> {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, durationMs = defaultSwipeMs] = values
  if (durationMs < 0 || durationMs > maxSwipeMs) throw new CommandError(`duration ${durationMs} ms is out of range`)
  pointer(call, 'down', x1, y1)
  let isDone = false
  try {
    const startedAt = performance.now()
    for (let elapsed = 0; elapsed < durationMs; elapsed = performance.now() - startedAt) {
      const part = elapsed / durationMs
      pointer(call, 'move', x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
      await wait(Math.min(swipeStepMs, durationMs - elapsed), call.signal)
    }
    pointer(call, 'move', x2, y2)
    isDone = true
  } finally {
    pointer(call, isDone ? 'up' : 'cancel', x2, y2)
  }
  return 0
}

async function motionEvent(call: CommandCall, args: string[]): Promise<number> {
  const [name = '', ...rest] = args
  const actions: Record<string, 'down' | 'move' | 'up' | 'cancel'> = {
    DOWN: 'down',
    MOVE: 'move',
    UP: 'up',
    CANCEL: 'cancel',
  }
  const action = Object.hasOwn(actions, name.toUpperCase()) ? actions[name.toUpperCase()] : undefined
  if (action === undefined) return usage(call, 'input motionevent DOWN|UP|MOVE|CANCEL X Y')
  const [x = 0, y = 0] = numbers(rest, 2, 2)
  pointer(call, action, x, y)
  return 0
}

async function keyEvent(call: CommandCall, args: string[]): Promise<number> {
  const isLong = args[0] === '--longpress'
  const names = args.filter((argument) => !argument.startsWith('--'))
  if (names.length === 0) return usage(call, usageText)
  const keycodes = names.map((name) => {
    const keycode = keycodeOf(name)
    if (keycode === null) throw new CommandError(`unknown key '${name}'`, 255)
    return keycode
  })
  for (const keycode of keycodes) {
    if (!isLong) press(call, keycode)
    else {
      key(call, 'down', keycode)
      await wait(longPressMs, call.signal)
      key(call, 'up', keycode)
    }
  }
  return 0
}

function press(call: CommandCall, keycode: number): void {
  key(call, 'down', keycode)
  key(call, 'up', keycode)
}

function key(call: CommandCall, action: 'down' | 'up', keycode: number): void {
  call.device.machine.dispatch({ type: 'key', action, keycode, metaState: 0 })
}

function pointer(call: CommandCall, action: 'down' | 'move' | 'up' | 'cancel', x: number, y: number): void {
  call.device.machine.dispatch({ type: 'pointer', action, pointerId, x, y })
}

function numbers(args: string[], least: number, most: number): number[] {
  if (args.length < least || args.length > most)
    throw new CommandError(`needs ${least} numbers, got ${args.length}`, 255)
  return args.map((argument) => {
    if (!/^-?\d{1,6}(\.\d{1,6})?$/.test(argument)) throw new CommandError(`'${argument}' is not a number`, 255)
    return Number(argument)
  })
}
