import { screenHeight } from '@/server/phone/contract'
import type { PhoneEvent } from '@/server/phone/contract'
import { appOf } from '@/server/phone/apps/app-list'
import { focusField, goHome } from '@/server/phone/system/back-stack'
import { isRepeatingKey, repeatsAfter } from '@/server/phone/system/keyboard'
import { layOutScreen } from '@/server/phone/system/screen'
import { navigationBarHeight } from '@/server/phone/system/theme'
import { hitTest } from '@/server/phone/ui/hit-test'
import type { LaidOutNode } from '@/server/phone/ui/contract'
import { glide, releaseVelocity, trackFinger } from './fling'
import { withUi } from './phone-state'
import type { Pointer, PhoneState } from './phone-state'
import { routeAction } from './route-action'

type PointerEvent = Extract<PhoneEvent, { type: 'pointer' }>

/** A finger that moved no further than this still taps. */
const slop = 12
const longPressMs = 500
/** Of a key in one tick: as many as a field can hold. */
const mostRepeats = 2000
/** How far up a swipe from the bottom edge goes home. */
const homeSwipe = 120
/** Pixels a step of a mouse wheel. */
const wheelStep = 96

/** One finger; the events of others are ignored while it is down. */
export function reducePointer(state: PhoneState, event: PointerEvent): PhoneState {
  const { pointer } = state.ui
  if (event.action === 'down') {
    const isOther = pointer !== null && pointer.pointerId !== event.pointerId
    return isOther ? state : withUi(state, { pointer: pointerDown(state, event), fling: null })
  }
  if (pointer === null || pointer.pointerId !== event.pointerId) return state
  switch (event.action) {
    case 'move':
      return pointerMove(state, pointer, event)
    case 'up': {
      const moved = pointerMove(state, pointer, event)
      return pointerUp(withUi(moved, { pointer: null }), moved.ui.pointer ?? pointer, event)
    }
    case 'cancel':
      return withUi(state, { pointer: null })
  }
}

/** Time passes while a finger is down: long presses happen, a held key repeats. */
export function holdPointer(state: PhoneState, ms: number): PhoneState {
  const { pointer } = state.ui
  if (pointer === null || (pointer.gesture !== 'press' && pointer.gesture !== 'repeat')) return state
  const heldMs = Math.min(pointer.heldMs + ms, Number.MAX_SAFE_INTEGER)
  const hold = (gesture: Pointer['gesture']) => withUi(state, { pointer: { ...pointer, heldMs, gesture } })
  if (heldMs < longPressMs) return hold('press')
  if (pointer.longAction !== null) return routeAction(hold('done'), pointer.longAction)
  const { action } = pointer
  if (action === null || !isRepeatingKey(action)) return hold('press')
  const count = Math.min(repeatsAfter(heldMs) - repeatsAfter(pointer.heldMs), mostRepeats)
  return Array.from({ length: count }).reduce<PhoneState>((held) => routeAction(held, action), hold('repeat'))
}

/** A mouse wheel over a point; positive turns show what is above. */
export function reduceScroll(state: PhoneState, x: number, y: number, vertical: number): PhoneState {
  const { scrollable } = hitTest(layOutScreen(state), x, y)
  const scroll = scrollOf(scrollable)
  return scroll === null ? state : scrollTo(state, scroll.id, scroll.offset, vertical * wheelStep)
}

function pointerDown(state: PhoneState, event: PointerEvent): Pointer {
  const { target, scrollable } = hitTest(layOutScreen(state), event.x, event.y)
  // A finger on a gliding list stops it and taps nothing.
  const isCatching = state.ui.fling !== null
  const widget = target === null || target.widget.enabled === false || isCatching ? null : target.widget
  const field = widget?.field
  return {
    pointerId: event.pointerId,
    start: { x: event.x, y: event.y },
    gesture: 'press',
    heldMs: 0,
    action: widget?.onTap ?? null,
    longAction: widget?.onLongPress ?? null,
    field: target === null || field === undefined ? null : { packageName: target.packageName, name: field },
    scroll: scrollOf(scrollable),
    track: [{ y: event.y, at: state.clock.now }],
  }
}

function pointerMove(state: PhoneState, pointer: Pointer, event: PointerEvent): PhoneState {
  const dx = event.x - pointer.start.x
  const dy = event.y - pointer.start.y
  const gesture =
    pointer.gesture === 'press' && Math.hypot(dx, dy) > slop ? gestureOf(pointer, dx, dy) : pointer.gesture
  if (gesture !== 'scroll' || pointer.scroll === null) {
    return gesture === pointer.gesture ? state : withUi(state, { pointer: { ...pointer, gesture } })
  }
  const track = trackFinger(pointer.track, event.y, state.clock.now)
  const moved = withUi(state, { pointer: { ...pointer, gesture, track } })
  return scrollTo(moved, pointer.scroll.id, pointer.scroll.offset, dy)
}

function gestureOf(pointer: Pointer, dx: number, dy: number): Pointer['gesture'] {
  if (pointer.start.y >= screenHeight - navigationBarHeight) return dy < 0 ? 'edge' : 'ignored'
  return pointer.scroll !== null && Math.abs(dy) >= Math.abs(dx) ? 'scroll' : 'ignored'
}

function pointerUp(state: PhoneState, pointer: Pointer, event: PointerEvent): PhoneState {
  if (pointer.gesture === 'edge') return pointer.start.y - event.y >= homeSwipe ? goHome(state) : state
  if (pointer.gesture === 'scroll' && pointer.scroll !== null) return release(state, pointer, pointer.scroll.id)
  if (pointer.gesture !== 'press') return state
  if (pointer.field !== null) {
    const { packageName, name } = pointer.field
    const app = appOf(packageName)
    return app === null ? state : focusField(state, packageName, name, app.fields.read(state, name).length)
  }
  return pointer.action === null ? state : routeAction(state, pointer.action)
}

function release(state: PhoneState, pointer: Pointer, scrollId: string): PhoneState {
  const down = releaseVelocity(pointer.track)
  const node = findScroll(layOutScreen(state), scrollId)
  if (down === 0 || node?.widget.kind !== 'scroll') return state
  const velocity = node.widget.anchor === 'bottom' ? down : -down
  return withUi(state, { fling: { scrollId, position: state.ui.scroll[scrollId] ?? 0, velocity } })
}

/** Time passes while a container glides: it slows down, and stops at its ends. */
export function advanceFling(state: PhoneState, ms: number): PhoneState {
  const { fling } = state.ui
  if (fling === null) return state
  const { position, next } = glide(fling, ms)
  const node = findScroll(layOutScreen(state), fling.scrollId)
  const end = node?.scroll?.maxOffset ?? 0
  const offset = Math.round(Math.min(Math.max(position, 0), end))
  const isAtEnd = position <= 0 || position >= end
  return withUi(state, {
    fling: isAtEnd ? null : next,
    scroll: node === null ? state.ui.scroll : { ...state.ui.scroll, [fling.scrollId]: offset },
  })
}

/** Moves a container's content `down` pixels from where its offset was `from`. */
function scrollTo(state: PhoneState, scrollId: string, from: number, down: number): PhoneState {
  const node = findScroll(layOutScreen(state), scrollId)
  if (node?.widget.kind !== 'scroll' || node.scroll === null) return state
  const wanted = node.widget.anchor === 'bottom' ? from + down : from - down
  const offset = Math.round(Math.min(Math.max(wanted, 0), node.scroll.maxOffset))
  if (offset === (state.ui.scroll[scrollId] ?? 0)) return state
  return withUi(state, { scroll: { ...state.ui.scroll, [scrollId]: offset } })
}

function scrollOf(node: LaidOutNode | null): Pointer['scroll'] {
  if (node?.widget.kind !== 'scroll' || node.scroll === null) return null
  return { id: node.widget.scrollId, offset: node.scroll.offset }
}

function findScroll(nodes: readonly LaidOutNode[], scrollId: string): LaidOutNode | null {
  for (const node of nodes) {
    if (node.widget.kind === 'scroll' && node.widget.scrollId === scrollId) return node
    const found = findScroll(node.children, scrollId)
    if (found !== null) return found
  }
  return null
}
