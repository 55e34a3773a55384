import type { ClientMessage, TouchMessage } from '@/server/wire/gateway/messages'
import type { ScreenSize } from './screen-messages'

type Box = { left: number; top: number; width: number; height: number }
type ClientPoint = { clientX: number; clientY: number }

/** A point of the page in pixels of the device, kept on the screen; null while there is no picture. */
export function toDevicePoint(point: ClientPoint, box: Box, size: ScreenSize | null): { x: number; y: number } | null {
  if (size === null || box.width <= 0 || box.height <= 0) return null
  const scale = (offset: number, shown: number, pixels: number) =>
    Math.min(pixels - 1, Math.max(0, Math.floor((offset / shown) * pixels)))
  return {
    x: scale(point.clientX - box.left, box.width, size.width),
    y: scale(point.clientY - box.top, box.height, size.height),
  }
}

const maxPointers = 10
const pixelsANotch = 100
const linesANotch = 3

/** Gives the browser's pointers, whose ids are any number, the fingers 0 to 9 of the device. */
export class Fingers {
  readonly #fingerOf = new Map<number, number>()

  /** The touch for one pointer event; null when it has no finger (an eleventh, or a move that began elsewhere). */
  touch(
    action: TouchMessage['action'],
    browserPointerId: number,
    at: { x: number; y: number },
    size: ScreenSize,
  ): TouchMessage | null {
    if (action === 'down') {
      const used = new Set(this.#fingerOf.values())
      const free = Array.from({ length: maxPointers }, (_, index) => index).find((index) => !used.has(index))
      if (free === undefined || this.#fingerOf.has(browserPointerId)) return null
      this.#fingerOf.set(browserPointerId, free)
    }
    const pointerId = this.#fingerOf.get(browserPointerId)
    if (pointerId === undefined) return null
    if (action === 'up' || action === 'cancel') this.#fingerOf.delete(browserPointerId)
    return { type: 'touch', action, pointerId, x: at.x, y: at.y, width: size.width, height: size.height }
  }

  clear(): void {
    this.#fingerOf.clear()
  }
}

type Wheel = { deltaX: number; deltaY: number; deltaMode: number }

/** A wheel event in notches. A wheel turned down moves the content up, which is negative on the wire. */
export function scrollMessageOf(wheel: Wheel, at: { x: number; y: number }, size: ScreenSize): ClientMessage {
  const notch = wheel.deltaMode === 1 ? linesANotch : wheel.deltaMode === 2 ? 1 : pixelsANotch
  const clamp = (value: number) => Math.min(16, Math.max(-16, value))
  return {
    type: 'scroll',
    ...at,
    ...size,
    horizontal: clamp(wheel.deltaX / notch),
    // `0 - x`: a negative zero would not survive the comparison of messages.
    vertical: clamp(0 - wheel.deltaY / notch),
  }
}

/** Android key codes of keys that are no text. */
const keycodes: Record<string, number> = {
  Enter: 66,
  Backspace: 67,
  Delete: 112,
  Tab: 61,
  ArrowUp: 19,
  ArrowDown: 20,
  ArrowLeft: 21,
  ArrowRight: 22,
  Home: 122,
  End: 123,
  PageUp: 92,
  PageDown: 93,
  /** Back, as in Android's own emulator. */
  Escape: 4,
}

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; isComposing: boolean }

/** What a pressed key means for the device; empty for one that belongs to the page. */
export function keyMessagesOf(event: Key): ClientMessage[] {
  // Alt Gr is reported as Ctrl and Alt together and writes text.
  const isShortcut = event.metaKey || event.ctrlKey !== event.altKey
  if (event.isComposing || isShortcut) return []
  const keycode = Object.hasOwn(keycodes, event.key) ? keycodes[event.key] : undefined
  if (keycode !== undefined) return pressMessagesOf(keycode)
  // A named key has several letters; a text key is one character, which may be two code units.
  return [...event.key].length === 1 ? [{ type: 'text', text: event.key }] : []
}

/** Presses and releases an Android key. */
export function pressMessagesOf(keycode: number): ClientMessage[] {
  return [
    { type: 'key', action: 'down', keycode, metaState: 0 },
    { type: 'key', action: 'up', keycode, metaState: 0 },
  ]
}
