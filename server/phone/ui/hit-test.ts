import type { Colour, LaidOutNode } from './contract'
import { contains } from './rect'

export type Hit = {
  /** Top-most widget at the point that a tap or a long press does something to. */
  target: LaidOutNode | null
  /** Nearest scroll container around the point that has somewhere to scroll. */
  scrollable: LaidOutNode | null
}

/**
 * What a finger at a point of the screen touches: what the eye sees there. A painted surface hides what is behind it,
 * its own ancestors excepted, and a disabled widget takes the touch and does nothing, as on Android.
 * `nodes` are the roots of the windows, the lowest first.
 */
export function hitTest(nodes: readonly LaidOutNode[], x: number, y: number): Hit {
  const hit: Hit = { target: null, scrollable: null }
  searchAll(nodes, [], { x, y }, hit)
  return hit
}

type Point = { x: number; y: number }

/** True when the touch went no further. */
function searchAll(nodes: readonly LaidOutNode[], ancestors: readonly LaidOutNode[], point: Point, hit: Hit): boolean {
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index]
    if (node !== undefined && search(node, ancestors, point, hit)) return true
  }
  return false
}

function search(node: LaidOutNode, ancestors: readonly LaidOutNode[], point: Point, hit: Hit): boolean {
  const { widget } = node
  if (widget.passesTouches === true) return false
  if (searchAll(node.children, [...ancestors, node], point, hit)) return true
  if (node.visible === null || !contains(node.visible, point.x, point.y)) return false
  if (hit.scrollable === null && canScroll(node)) hit.scrollable = node
  if (!isTouchable(node) && !isSurface(node)) return false
  const chain = [...ancestors, node].reverse()
  hit.scrollable ??= chain.find(canScroll) ?? null
  const taker = chain.find(isTouchable)
  hit.target = taker === undefined || taker.widget.enabled === false ? null : taker
  return true
}

function isTouchable({ widget }: LaidOutNode): boolean {
  return (
    widget.onTap !== undefined ||
    widget.onLongPress !== undefined ||
    widget.field !== undefined ||
    widget.enabled === false
  )
}

function canScroll(node: LaidOutNode): boolean {
  return node.scroll !== null && node.scroll.maxOffset > 0
}

function isSurface({ widget }: LaidOutNode): boolean {
  const { background, gradient } = widget.style ?? {}
  return gradient !== undefined || (background !== undefined && !isClear(background))
}

function isClear(colour: Colour): boolean {
  return (colour.length === 9 && colour.endsWith('00')) || (colour.length === 5 && colour.endsWith('0'))
}
