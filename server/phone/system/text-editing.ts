import { appOf } from '@/server/phone/apps/app-list'
import { cleanText } from '@/server/phone/state/clean-text'
import { withUi } from '@/server/phone/state/phone-state'
import type { PhoneState } from '@/server/phone/state/phone-state'

const longestField = 2000
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Text of the focused field and the caret in it, in UTF-16 units; null without a focus. */
export function focusedText(state: PhoneState): { text: string; caret: number } | null {
  const { focus } = state.ui
  const app = appOf(focus?.packageName)
  if (focus === null || app === null) return null
  const text = app.fields.read(state, focus.field)
  return { text, caret: Math.min(focus.caret, text.length) }
}

/** Writes text at the caret; what does not fit into the field's 2000 characters is left out. No focus: nothing happens. */
export function insertText(state: PhoneState, inserted: string): PhoneState {
  const field = focusedText(state)
  if (field === null) return state
  const { text, caret } = field
  const room = cleanText(cleanText(inserted).slice(0, longestField - text.length))
  if (room === '') return state
  return replaceText(state, text.slice(0, caret) + room + text.slice(caret), caret + room.length)
}

/** Deletes what a reader sees as one character before the caret, or after it. */
export function deleteCharacter(state: PhoneState, side: 'before' | 'after'): PhoneState {
  const field = focusedText(state)
  if (field === null) return state
  const { text, caret } = field
  const start = side === 'before' ? neighbour(text, caret, -1) : caret
  const end = side === 'before' ? caret : neighbour(text, caret, 1)
  if (start === end) return state
  return replaceText(state, text.slice(0, start) + text.slice(end), start)
}

/** Moves the caret by one seen character, or to an end of the text. */
export function moveCaret(state: PhoneState, to: 'left' | 'right' | 'start' | 'end'): PhoneState {
  const field = focusedText(state)
  if (field === null || state.ui.focus === null) return state
  const { text, caret } = field
  const places = {
    left: neighbour(text, caret, -1),
    right: neighbour(text, caret, 1),
    start: 0,
    end: text.length,
  }
  return withUi(state, { focus: { ...state.ui.focus, caret: places[to] } })
}

/** Enter in the focused field. */
export function submitField(state: PhoneState): PhoneState {
  const { focus } = state.ui
  const app = appOf(focus?.packageName)
  return focus === null || app === null ? state : app.fields.submit(state, focus.field)
}

function replaceText(state: PhoneState, text: string, caret: number): PhoneState {
  const { focus } = state.ui
  const app = appOf(focus?.packageName)
  if (focus === null || app === null) return state
  return withUi(app.fields.write(state, focus.field, text), { focus: { ...focus, caret } })
}

function neighbour(text: string, caret: number, direction: -1 | 1): number {
  if (direction === 1) {
    const [next] = graphemes.segment(text.slice(caret))
    return caret + (next?.segment.length ?? 0)
  }
  return Array.from(graphemes.segment(text.slice(0, caret))).at(-1)?.index ?? 0
}
