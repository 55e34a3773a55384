import { screenHeight, screenWidth, type PhoneEvent, type PhoneMachine } from '@/server/phone/contract'
import type { Rect } from '@/server/phone/ui/contract'
import { TaplineError } from '@/server/platform/errors'

export type FakeMachine = PhoneMachine & {
  events: PhoneEvent[]
  /** Damage that the next `render` tells. */
  damage: Rect[]
  animating: boolean
  touched(): void
}

const app = { packageName: 'com.example.notes', activity: '.MainActivity', label: 'Notes' }
const launcher = { packageName: 'com.example.launcher', activity: '.Launcher' }

/** A phone with one app that does nothing but keep what happened to it. */
export function createFakeMachine(): FakeMachine {
  const listeners = new Set<() => void>()
  let front = launcher
  let seed = 1
  let clipboard = ''
  let now = Date.UTC(2026, 0, 2, 3, 4, 5)
  const fake: FakeMachine = {
    events: [],
    damage: [],
    animating: false,
    touched: () => listeners.forEach((listener) => listener()),
    width: screenWidth,
    height: screenHeight,
    state: () => ({ data: { seed }, ui: {}, clock: { now } }),
    dispatch(event) {
      fake.events.push(event)
      if (event.type === 'tick') now += event.ms
      if (
        event.type === 'start-app' &&
        [app.packageName, `${app.packageName}/${app.activity}`].includes(event.component)
      )
        front = app
      if (event.type === 'key' && event.keycode === 3) front = launcher
      fake.touched()
    },
    callTool: (name) => ({ ok: false, code: 'unknown-tool', message: `There is no tool ${name}.`, data: null }),
    tools: () => [],
    reset(next) {
      seed = next
      front = launcher
    },
    snapshot: () => JSON.stringify({ seed }),
    restore(snapshot) {
      const match = /^\{"seed":(\d+)\}$/.exec(snapshot)
      if (match === null) throw new TaplineError('bad-input', 'That is not a snapshot of a phone.')
      seed = Number(match[1])
    },
    hashes: () => ({ dataHash: `data-${seed}`, stateHash: `state-${seed}` }),
    now: () => now,
    foreground: () => front,
    packages: () => [app],
    hierarchyXml: () => '<hierarchy/>',
    isAnimating: () => fake.animating,
    clipboard: () => clipboard,
    setClipboard(text) {
      clipboard = text
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    screen: {
      render: () => fake.damage.splice(0),
      rgba: (rect) => new Uint8ClampedArray(rect.width * rect.height * 4).fill(128),
      png: () => Buffer.from('png'),
    },
  }
  return fake
}
