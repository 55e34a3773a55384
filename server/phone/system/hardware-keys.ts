import type { PhoneState } from '@/server/phone/state/phone-state'
import { goBack, goHome } from './back-stack'
import { deleteCharacter, insertText, moveCaret, submitField } from './text-editing'

/** Android's KeyEvent constants (android.view.KeyEvent). */
const keycodes = { home: 3, back: 4, left: 21, right: 22, enter: 66, delete: 67, paste: 279, v: 50 } as const

const shiftMask = 0x1 | 0x40 | 0x80
const ctrlMask = 0x1000 | 0x2000 | 0x4000
const altMetaMask = 0x2 | 0x10000
const capsLockMask = 0x100000
const forwardDelete = 112
const moveHome = 122
const moveEnd = 123
const numpadEnter = 160
const space = 62
const firstDigit = 7
const firstLetter = 29

const digitSymbols = ')!@#$%^&*('

/** Character without and with shift of the keys with punctuation. */
const punctuation: Readonly<Record<number, readonly [string, string]>> = {
  17: ['*', '*'],
  18: ['#', '#'],
  55: [',', '<'],
  56: ['.', '>'],
  [space]: [' ', ' '],
  68: ['`', '~'],
  69: ['-', '_'],
  70: ['=', '+'],
  71: ['[', '{'],
  72: [']', '}'],
  73: ['\\', '|'],
  74: [';', ':'],
  75: ["'", '"'],
  76: ['/', '?'],
  77: ['@', '@'],
  81: ['+', '+'],
  154: ['/', '/'],
  155: ['*', '*'],
  156: ['-', '-'],
  157: ['+', '+'],
  158: ['.', '.'],
}

/** The character an Android key code types with this meta state on a US keyboard; null for every other key. */
function characterOf(keycode: number, metaState: number): string | null {
  if ((metaState & (ctrlMask | altMetaMask)) !== 0) return null
  const isShifted = (metaState & shiftMask) !== 0
  if (keycode >= firstLetter && keycode < firstLetter + 26) {
    const isCapital = isShifted !== ((metaState & capsLockMask) !== 0)
    return String.fromCharCode((isCapital ? 65 : 97) + keycode - firstLetter)
  }
  if (keycode >= firstDigit && keycode < firstDigit + 10) {
    const digit = keycode - firstDigit
    return isShifted ? (digitSymbols[digit] ?? null) : String(digit)
  }
  if (keycode >= 144 && keycode <= 153) return String(keycode - 144)
  return punctuation[keycode]?.[isShifted ? 1 : 0] ?? null
}

/** Whether the key pastes: the paste key, or Ctrl with V. */
export function isPaste(keycode: number, metaState: number): boolean {
  return keycode === keycodes.paste || (keycode === keycodes.v && (metaState & ctrlMask) !== 0)
}

/** A hardware key went down. Keys without a meaning here change nothing. */
export function pressHardwareKey(state: PhoneState, keycode: number, metaState: number): PhoneState {
  switch (keycode) {
    case keycodes.home:
      return goHome(state)
    case keycodes.back:
      return goBack(state)
    case keycodes.enter:
    case numpadEnter:
      return submitField(state)
    case keycodes.delete:
      return deleteCharacter(state, 'before')
    case forwardDelete:
      return deleteCharacter(state, 'after')
    case keycodes.left:
      return moveCaret(state, 'left')
    case keycodes.right:
      return moveCaret(state, 'right')
    case moveHome:
      return moveCaret(state, 'start')
    case moveEnd:
      return moveCaret(state, 'end')
    default: {
      const character = characterOf(keycode, metaState)
      return character === null ? state : insertText(state, character)
    }
  }
}
