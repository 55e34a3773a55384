import { appOf } from '@/server/phone/apps/app-list'
import { withUi } from '@/server/phone/state/phone-state'
import type { PhoneState } from '@/server/phone/state/phone-state'
import type { Colour, IconName, UiAction, Widget } from '@/server/phone/ui/contract'
import { colours, keyboardPackage } from './theme'
import { deleteCharacter, insertText, submitField } from './text-editing'
import { isPressed, label } from './widgets'

/** A key: a character, or the name of what it does. */
type Key = string

const letterRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const symbolRows = ['1234567890', '@#$_&-+()', `*"':;!?`]
const moreSymbolRows = ['~`|•√π÷×¶∆', '£¢€¥^°={}', '\\©®™%[]']

const bottomRow: readonly Key[] = ['page', ',', 'space', '.', 'hide', 'enter']
const holdDelayMs = 500
const holdRepeatMs = 50

/** The on-screen keyboard, as wide as its window. */
export function keyboardView(state: PhoneState): Widget {
  const { page } = state.ui.keyboard
  const rows = page === 'letters' ? letterRows : page === 'symbols' ? symbolRows : moreSymbolRows
  const [top = '', middle = '', low = ''] = rows
  const keyRows: Key[][] = [[...top], [...middle], ['shift', ...low, 'backspace'], [...bottomRow]]
  return {
    kind: 'box',
    description: 'Keyboard',
    style: {
      width: '100%',
      height: '100%',
      direction: 'column',
      gap: 12,
      padding: [12, 6],
      background: colours.keyboard,
    },
    children: keyRows.map((keys, index) => ({
      kind: 'box',
      key: `row-${index}`,
      style: {
        direction: 'row',
        gap: 8,
        grow: 1,
        shrink: 1,
        justify: 'center',
        padding: [0, index === 1 ? 26 : 0],
      },
      children: keys.map((key) => keyView(state, key)),
    })),
  }
}

/** What a tap on a key does. */
export function pressKeyboardKey(state: PhoneState, key: unknown): PhoneState {
  const { keyboard } = state.ui
  switch (key) {
    case 'shift':
      return pressShift(state)
    case 'backspace':
      return deleteCharacter(state, 'before')
    case 'enter':
      return submitField(state)
    case 'space':
      return insertText(state, ' ')
    case 'hide':
      return withUi(state, { keyboard: { ...keyboard, isOpen: false } })
    case 'page':
      return withUi(state, {
        keyboard: { ...keyboard, shift: 'off', page: keyboard.page === 'letters' ? 'symbols' : 'letters' },
      })
    default: {
      if (typeof key !== 'string' || Array.from(key).length !== 1) return state
      const typed = insertText(state, keyboard.shift === 'off' ? key : key.toUpperCase())
      return keyboard.shift === 'once' ? withUi(typed, { keyboard: { ...keyboard, shift: 'off' } }) : typed
    }
  }
}

/** Whether a finger that rests on the key presses it again and again. */
export function isRepeatingKey(action: UiAction | null): boolean {
  return action?.app === keyboardPackage && action.key === 'backspace'
}

/** How often a key held for `heldMs` was pressed: from half a second on, 20 times a second. */
export function repeatsAfter(heldMs: number): number {
  return heldMs < holdDelayMs ? 0 : Math.floor((heldMs - holdDelayMs) / holdRepeatMs) + 1
}

function pressShift(state: PhoneState): PhoneState {
  const { keyboard } = state.ui
  if (keyboard.page !== 'letters') {
    return withUi(state, { keyboard: { ...keyboard, page: keyboard.page === 'symbols' ? 'more-symbols' : 'symbols' } })
  }
  const next = { off: 'once', once: 'locked', locked: 'off' } as const
  return withUi(state, { keyboard: { ...keyboard, shift: next[keyboard.shift] } })
}

function keyView(state: PhoneState, key: Key): Widget {
  const { page, shift } = state.ui.keyboard
  const onTap: UiAction = { app: keyboardPackage, type: 'key', key }
  const isDown = isPressed(state.ui.pointer?.action ?? null, onTap)
  const look = lookOf(state, key)
  const isLetter = Array.from(key).length === 1 && !bottomRow.includes(key)
  const isCapital = page === 'letters' && shift !== 'off'
  const shown = look.text ?? (isCapital ? key.toUpperCase() : key)
  return {
    kind: 'box',
    key,
    id: `key_${keyIds[key] ?? key}`,
    className: 'android.widget.Button',
    description: look.description ?? shown,
    onTap,
    ...(key === 'shift' ? { selected: isCapital } : {}),
    style: {
      grow: look.grow,
      shrink: 1,
      minWidth: 0,
      // A basis of 0, so that the widths of a row follow `grow` alone.
      width: 0,
      ...(isLetter ? { maxWidth: '10%' } : {}),
      align: 'center',
      justify: 'center',
      radius: 10,
      background: isDown ? look.pressed : look.background,
      shadow: 'low',
    },
    children: [
      look.icon === undefined
        ? label(shown, {
            size: look.text === undefined ? 28 : 22,
            lineHeight: 36,
            weight: look.text === undefined ? 400 : 500,
            align: 'center',
            colour: look.colour,
          })
        : { kind: 'icon', icon: look.icon, size: 30, colour: look.colour },
    ],
  }
}

type KeyLook = {
  background: Colour
  pressed: Colour
  colour: Colour
  grow: number
  icon?: IconName
  text?: string
  description?: string
}

function lookOf(state: PhoneState, key: Key): KeyLook {
  const { page, shift } = state.ui.keyboard
  const quiet: KeyLook = { background: colours.keyQuiet, pressed: '#b4bbc6', colour: colours.text, grow: 1.5 }
  switch (key) {
    case 'shift': {
      if (page !== 'letters') {
        const text = page === 'symbols' ? '=\\<' : '?123'
        return { ...quiet, text, description: page === 'symbols' ? 'More symbols' : 'Symbols' }
      }
      const description = shift === 'locked' ? 'Caps lock on' : shift === 'once' ? 'Shift on' : 'Shift'
      if (shift === 'off') return { ...quiet, icon: 'shift', description }
      const background = shift === 'locked' ? colours.accent : colours.accentSoft
      const colour = shift === 'locked' ? colours.onAccent : colours.accent
      return { ...quiet, icon: 'shift', description, background, colour }
    }
    case 'backspace':
      return { ...quiet, icon: 'backspace', description: 'Delete' }
    case 'page':
      return {
        ...quiet,
        text: page === 'letters' ? '?123' : 'ABC',
        description: page === 'letters' ? 'Symbols' : 'Letters',
      }
    case 'hide':
      return { ...quiet, grow: 1.2, icon: 'hide-keyboard', description: 'Hide keyboard' }
    case 'enter': {
      const { focus } = state.ui
      const icon = (focus && appOf(focus.packageName)?.fields.enterIcon(focus.field)) ?? 'enter'
      const accent = {
        background: colours.accent,
        pressed: colours.accentPressed,
        colour: colours.onAccent,
        grow: 1.5,
      } as const
      return { ...accent, icon, description: 'Enter' }
    }
    case 'space':
      return {
        background: colours.key,
        pressed: colours.pressed,
        colour: colours.faint,
        grow: 4,
        text: 'English',
        description: 'Space',
      }
    case ',':
    case '.':
      return { ...quiet, grow: 1 }
    default:
      return { background: colours.key, pressed: colours.accentSoft, colour: colours.text, grow: 1 }
  }
}

/** Resource ids of the keys whose character is not fit for one. */
const keyIds: Readonly<Record<Key, string>> = {
  ',': 'comma',
  '.': 'period',
  '@': 'at',
  '#': 'hash',
  $: 'dollar',
  _: 'underscore',
  '&': 'ampersand',
  '-': 'minus',
  '+': 'plus',
  '(': 'paren_open',
  ')': 'paren_close',
  '*': 'asterisk',
  '"': 'quote',
  "'": 'apostrophe',
  ':': 'colon',
  ';': 'semicolon',
  '!': 'exclamation',
  '?': 'question',
  '~': 'tilde',
  '`': 'grave',
  '|': 'bar',
  '•': 'bullet',
  '√': 'root',
  π: 'pi',
  '÷': 'divide',
  '×': 'times',
  '¶': 'paragraph',
  '∆': 'delta',
  '£': 'pound',
  '¢': 'cent',
  '€': 'euro',
  '¥': 'yen',
  '^': 'caret',
  '°': 'degree',
  '=': 'equals',
  '{': 'brace_open',
  '}': 'brace_close',
  '\\': 'backslash',
  '©': 'copyright',
  '®': 'registered',
  '™': 'trademark',
  '%': 'percent',
  '[': 'bracket_open',
  ']': 'bracket_close',
}
