import type { PhoneEvent } from '@/server/phone/contract'
import type { ToolResult } from '@/server/tool/contract'
import { appList, appOf } from '@/server/phone/apps/app-list'
import { runTool } from '@/server/phone/apps/run-tool'
import { goHome, startApp } from '@/server/phone/system/back-stack'
import { pressHardwareKey } from '@/server/phone/system/hardware-keys'
import { focusedText, insertText } from '@/server/phone/system/text-editing'
import { launcherPackage } from '@/server/phone/system/theme'
import { expireToasts } from '@/server/phone/system/toast'
import { latestTime, withUi } from './phone-state'
import type { PhoneState } from './phone-state'
import { advanceFling, holdPointer, reducePointer, reduceScroll } from './pointer'

/** The state after an event. Pure; an event that leads nowhere gives the same state back. */
export function reduce(state: PhoneState, event: PhoneEvent): PhoneState {
  return settleFocus(reduceEvent(state, event))
}

/** The tools door: as `reduce` of a `tool` event, with the result. `input` may be anything. */
export function callTool(state: PhoneState, name: string, input: unknown): { state: PhoneState; result: ToolResult } {
  const outcome = runTool(state, name, input)
  return { state: settleFocus(outcome.state), result: outcome.result }
}

/** Something on screen waits for time: a message on its way, a toast, a finger that rests, a list that glides. */
export function isAnimating(state: PhoneState): boolean {
  const { pointer, fling, toasts } = state.ui
  return pointer !== null || fling !== null || toasts.length > 0 || appList.some((app) => app.isBusy(state))
}

function reduceEvent(state: PhoneState, event: PhoneEvent): PhoneState {
  switch (event.type) {
    case 'tick':
      return advance(state, event.ms)
    case 'pointer':
      return reducePointer(state, event)
    case 'key':
      return event.action === 'down' ? pressHardwareKey(state, event.keycode, event.metaState) : state
    case 'text':
      return insertText(state, event.text)
    case 'scroll':
      return reduceScroll(state, event.x, event.y, event.vertical)
    case 'start-app':
      return startComponent(state, event.component)
    case 'tool':
      return runTool(state, event.name, event.arguments).state
  }
}

function advance(state: PhoneState, ms: number): PhoneState {
  const now = Math.min(state.clock.now + ms, latestTime)
  const ticked = { ...state, clock: { now, ticks: state.clock.ticks + 1 } }
  const later = advanceFling(holdPointer(ticked, ms), ms)
  return appList.reduce((advanced, app) => app.advance(advanced), expireToasts(later))
}

function startComponent(state: PhoneState, component: string): PhoneState {
  const [packageName = '', activity] = component.split('/')
  if (packageName === launcherPackage) return goHome(state)
  const app = appOf(packageName)
  const isLauncherActivity =
    activity === undefined || activity === app?.activity || activity === `${packageName}${app?.activity}`
  return app !== null && isLauncherActivity ? startApp(state, packageName) : state
}

/** A field's text may have changed under its caret, by a tool. */
function settleFocus(state: PhoneState): PhoneState {
  const field = focusedText(state)
  if (field === null || state.ui.focus === null || field.caret === state.ui.focus.caret) return state
  return withUi(state, { focus: { ...state.ui.focus, caret: field.caret } })
}
