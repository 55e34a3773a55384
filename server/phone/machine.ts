import { TaplineError } from '@/server/platform/errors'
import { appList, appOf } from './apps/app-list'
import { phoneTools } from './apps/run-tool'
import { phoneEvent, screenHeight, screenWidth } from './contract'
import type { PhoneEvent, PhoneMachine } from './contract'
import { createPhoneScreen } from './pixels/screen'
import { hashOf } from './state/hash'
import { initialState } from './state/initial-state'
import type { PhoneState } from './state/phone-state'
import { callTool, isAnimating, reduce } from './state/reduce'
import { decodeSnapshot, encodeSnapshot } from './state/snapshot'
import { foregroundActivity } from './system/back-stack'
import { isPaste } from './system/hardware-keys'
import { layOutScreen } from './system/screen'
import { launcherPackage } from './system/theme'
import { hierarchyXml } from './ui/hierarchy-xml'

export type PhoneMachineOptions = {
  /** A non-negative safe integer. */
  seed: number
  /** Starts from here instead of from the seed's fresh phone. */
  snapshot?: string
  /** Hears every event that reached the state, in order: with a snapshot they are the exact replay. */
  onEvent?: (event: PhoneEvent) => void
}

/** A running phone. Throws TaplineError `bad-input` for a seed or snapshot that is not one. */
export function createPhoneMachine(options: PhoneMachineOptions): PhoneMachine {
  let state = options.snapshot === undefined ? freshState(options.seed) : checkedSnapshot(options.snapshot)
  let clipboard = ''
  const listeners = new Set<() => void>()

  const change = (next: PhoneState) => {
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }
  const screen = createPhoneScreen({ width: screenWidth, height: screenHeight, nodes: () => layOutScreen(state) })

  return {
    width: screenWidth,
    height: screenHeight,
    screen,
    state: () => state,
    dispatch(event) {
      const parsed = phoneEvent.safeParse(event)
      if (!parsed.success) return
      const replayable = withClipboard(parsed.data, clipboard)
      options.onEvent?.(replayable)
      change(reduce(state, replayable))
    },
    callTool(name, input) {
      const event = phoneEvent.safeParse({ type: 'tool', name, arguments: input ?? {} })
      if (!event.success) {
        return {
          ok: false,
          code: 'bad-arguments',
          message: 'The arguments must be a JSON object.',
          data: null,
          delta: [],
        }
      }
      options.onEvent?.(event.data)
      const called = callTool(state, name, event.data.type === 'tool' ? event.data.arguments : {})
      change(called.state)
      return called.result
    },
    tools: () => phoneTools.map((tool) => tool.definition),
    reset(seed) {
      change(freshState(seed))
    },
    snapshot: () => encodeSnapshot(state),
    restore(snapshot) {
      change(checkedSnapshot(snapshot))
    },
    hashes: () => ({ dataHash: hashOf(state.data), stateHash: hashOf(state) }),
    now: () => state.clock.now,
    foreground() {
      const activity = foregroundActivity(state)
      const { foreground } = state.ui
      if (foreground === null || activity === null) {
        return { packageName: launcherPackage, activity: '.LauncherActivity' }
      }
      return { packageName: foreground, activity: activity.name }
    },
    packages: () => appList.map(({ packageName, activity, label }) => ({ packageName, activity, label })),
    hierarchyXml: () => hierarchyXml(layOutScreen(state), { rotation: 0 }),
    isAnimating: () => isAnimating(state),
    clipboard: () => clipboard,
    setClipboard(text) {
      clipboard = text
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The clipboard is not in the state: a paste is logged as the text it types. */
function withClipboard(event: PhoneEvent, clipboard: string): PhoneEvent {
  if (event.type !== 'key' || event.action !== 'down' || !isPaste(event.keycode, event.metaState)) return event
  return { type: 'text', text: clipboard }
}

function freshState(seed: number): PhoneState {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new TaplineError('bad-input', `A phone's seed is a whole number from 0; ${seed} is not.`)
  }
  return initialState(seed)
}

/** A snapshot whose screens this phone can show. */
function checkedSnapshot(snapshot: string): PhoneState {
  const restored = decodeSnapshot(snapshot)
  const { tasks, foreground } = restored.ui
  for (const task of tasks) {
    const app = appOf(task.packageName)
    const unknown = task.activities.find((activity) => !app?.activities.includes(activity.name))
    if (app === null || unknown !== undefined) {
      throw new TaplineError(
        'bad-input',
        `The phone snapshot has an activity of ${task.packageName} that does not exist.`,
      )
    }
  }
  if (foreground !== null && !tasks.some((task) => task.packageName === foreground)) {
    throw new TaplineError('bad-input', `The phone snapshot shows ${foreground}, which is not started.`)
  }
  return restored
}
