import { withUi } from '@/server/phone/state/phone-state'
import type { Activity, PhoneState, Task } from '@/server/phone/state/phone-state'

const closedKeyboard = { isOpen: false, page: 'letters', shift: 'off' } as const

/** The task on screen; null on the home screen. */
function foregroundTask(state: PhoneState): Task | null {
  return state.ui.tasks.find((task) => task.packageName === state.ui.foreground) ?? null
}

/** The activity on screen; null on the home screen. */
export function foregroundActivity(state: PhoneState): Activity | null {
  return foregroundTask(state)?.activities.at(-1) ?? null
}

/** Brings an app to the front where it was left, or starts it at its main activity. */
export function startApp(state: PhoneState, packageName: string): PhoneState {
  if (state.ui.foreground === packageName) return state
  const started = state.ui.tasks.find((task) => task.packageName === packageName)
  const task = started ?? { packageName, activities: [{ name: '.MainActivity', params: {} }] }
  const rest = state.ui.tasks.filter((other) => other.packageName !== packageName)
  return withUi(leaveField(state), { tasks: [...rest, task], foreground: packageName })
}

/** Opens an activity of the foreground app; `replace` puts it in the place of the visible one. */
export function openActivity(state: PhoneState, activity: Activity, replace = false): PhoneState {
  const task = foregroundTask(state)
  if (task === null) return state
  const below = replace ? task.activities.slice(0, -1) : task.activities
  return withUi(leaveField(state), { tasks: replaceTask(state, [...below, activity]) })
}

/** Changes the visible activity's parameters without leaving it. */
export function updateActivity(state: PhoneState, params: Record<string, string>): PhoneState {
  const task = foregroundTask(state)
  const visible = task?.activities.at(-1)
  if (task === null || visible === undefined) return state
  return withUi(state, { tasks: replaceTask(state, [...task.activities.slice(0, -1), { ...visible, params }]) })
}

/** The back button: closes the keyboard, else the activity, else the app. Nothing happens on the home screen. */
export function goBack(state: PhoneState): PhoneState {
  if (state.ui.keyboard.isOpen) return withUi(state, { keyboard: closedKeyboard })
  const task = foregroundTask(state)
  if (task === null) return state
  if (task.activities.length > 1) {
    return withUi(leaveField(state), { tasks: replaceTask(state, task.activities.slice(0, -1)) })
  }
  const isKept = ([name]: [string, unknown]) => !name.startsWith(`${task.packageName}:`)
  return withUi(leaveField(state), {
    tasks: state.ui.tasks.filter((other) => other !== task),
    foreground: null,
    fields: Object.fromEntries(Object.entries(state.ui.fields).filter(isKept)),
    scroll: Object.fromEntries(Object.entries(state.ui.scroll).filter(isKept)),
  })
}

/** The home button: the app stays as it is. */
export function goHome(state: PhoneState): PhoneState {
  if (state.ui.foreground === null) return state
  return withUi(leaveField(state), { foreground: null })
}

/** Puts the caret at `caret` of a field of the foreground app and opens the keyboard. */
export function focusField(state: PhoneState, packageName: string, field: string, caret: number): PhoneState {
  const keyboard = { ...closedKeyboard, isOpen: true }
  return withUi(state, { focus: { packageName, field, caret }, keyboard })
}

/** Takes the focus away and closes the keyboard. */
export function leaveField(state: PhoneState): PhoneState {
  return withUi(state, { focus: null, keyboard: closedKeyboard })
}

function replaceTask(state: PhoneState, activities: Activity[]): Task[] {
  return state.ui.tasks.map((task) => (task.packageName === state.ui.foreground ? { ...task, activities } : task))
}
