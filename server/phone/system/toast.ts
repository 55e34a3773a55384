import { withUi } from '@/server/phone/state/phone-state'
import type { PhoneState } from '@/server/phone/state/phone-state'
import type { Widget } from '@/server/phone/ui/contract'
import { colours } from './theme'
import { label } from './widgets'

const shownMs = 2500

/** Shows a sentence over whatever is on screen for 2.5 seconds, in the place of an older one. */
export function showToast(state: PhoneState, text: string): PhoneState {
  return withUi(state, { toasts: [{ text, expiresAt: state.clock.now + shownMs }] })
}

/** Takes away toasts whose time is over. */
export function expireToasts(state: PhoneState): PhoneState {
  const toasts = state.ui.toasts.filter((toast) => toast.expiresAt > state.clock.now)
  return toasts.length === state.ui.toasts.length ? state : withUi(state, { toasts })
}

/** The toast in its window; null when there is none. */
export function toastView(state: PhoneState): Widget | null {
  const toast = state.ui.toasts.at(-1)
  if (toast === undefined) return null
  return {
    kind: 'box',
    passesTouches: true,
    style: { width: '100%', height: '100%', direction: 'column', align: 'center' },
    children: [
      {
        kind: 'box',
        style: { background: colours.toast, radius: 28, padding: [16, 28], maxWidth: '100%', shadow: 'low' },
        children: [
          label(
            toast.text,
            { size: 21, lineHeight: 29, colour: '#ffffff', align: 'center' },
            { className: 'android.widget.Toast' },
          ),
        ],
      },
    ],
  }
}
