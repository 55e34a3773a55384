import { screenHeight, screenWidth } from '@/server/phone/contract'
import { appOf } from '@/server/phone/apps/app-list'
import type { PhoneState } from '@/server/phone/state/phone-state'
import type { LaidOutNode, Rect, Widget } from '@/server/phone/ui/contract'
import { layOutWindows } from '@/server/phone/ui/layout'
import { foregroundActivity } from './back-stack'
import { keyboardView } from './keyboard'
import { launcherView } from './launcher'
import { navigationBarView } from './navigation-bar'
import { statusBarView } from './status-bar'
import { toastView } from './toast'
import {
  appBarHeight,
  colours,
  keyboardHeight,
  keyboardPackage,
  launcherPackage,
  navigationBarHeight,
  statusBarHeight,
  systemPackage,
} from './theme'

type PhoneWindow = { root: Widget; packageName: string; bounds: Rect }

/** Below the bar of an app: a toast hides neither what was just sent nor the keyboard. */
const toastTop = statusBarHeight + appBarHeight + 16
const minuteMs = 60_000

/** What is on screen, the lowest window first. */
function windowsOf(state: PhoneState): PhoneWindow[] {
  const app = appOf(state.ui.foreground)
  const activity = foregroundActivity(state)
  const background = app === null ? null : colours.surface
  const keyboard = state.ui.keyboard.isOpen ? keyboardHeight : 0
  const bottom = screenHeight - navigationBarHeight - keyboard
  const band = (y: number, height: number): Rect => ({ x: 0, y, width: screenWidth, height })
  const windows: PhoneWindow[] = []
  if (app === null || activity === null) {
    windows.push({ root: launcherView(state), packageName: launcherPackage, bounds: band(0, screenHeight) })
  } else {
    const bounds = band(statusBarHeight, bottom - statusBarHeight)
    const { focus } = state.ui
    const window = {
      activity,
      width: bounds.width,
      height: bounds.height,
      focus: focus?.packageName === app.packageName ? focus : null,
    }
    windows.push({ root: app.view(state, window), packageName: app.packageName, bounds })
  }
  if (keyboard > 0) {
    windows.push({ root: keyboardView(state), packageName: keyboardPackage, bounds: band(bottom, keyboard) })
  }
  windows.push({
    root: statusBarView(state, background),
    packageName: systemPackage,
    bounds: band(0, statusBarHeight),
  })
  windows.push({
    root: navigationBarView(state, keyboard > 0 ? colours.keyboard : background),
    packageName: systemPackage,
    bounds: band(screenHeight - navigationBarHeight, navigationBarHeight),
  })
  const toast = toastView(state)
  if (toast !== null) {
    windows.push({
      root: toast,
      packageName: systemPackage,
      bounds: { x: 32, y: toastTop, width: screenWidth - 64, height: 140 },
    })
  }
  return windows
}

const layouts = new WeakMap<PhoneState['ui'], { data: PhoneState['data']; minute: number; nodes: LaidOutNode[] }>()

/**
 * Lays out what is on screen. A screen shows `data`, `ui` and the minute and nothing else, so a layout is kept for as long
 * as these are the same.
 */
export function layOutScreen(state: PhoneState): LaidOutNode[] {
  const minute = Math.floor(state.clock.now / minuteMs)
  const known = layouts.get(state.ui)
  if (known?.data === state.data && known.minute === minute) return known.nodes
  const shown = { ...state, clock: { ...state.clock, now: minute * minuteMs } }
  const nodes = layOutWindows(windowsOf(shown), state.ui.scroll)
  layouts.set(state.ui, { data: state.data, minute, nodes })
  return nodes
}
