import { deepEqual } from '@/server/phone/ui/deep-equal'
import type { LaidOutNode, Rect, Widget } from '@/server/phone/ui/contract'
import { clipsChildren } from '@/server/phone/ui/layout'
import { intersect, isSameRect } from '@/server/phone/ui/rect'
import { inkRect } from './ink'
import { radiiOf } from './paint-box'
import { hasRoundedClip } from './painter'

/** One node that paints something. */
export type PaintItem = {
  widget: Widget
  bounds: Rect
  /** Where its pixels may be. */
  ink: Rect
  /** What its ancestors and its own opacity do to its pixels, outermost first. */
  layers: readonly Layer[]
}

type Layer = { opacity: number } | { bounds: Rect; radii: readonly number[] }

/** What is painted, in drawing order, by a name that follows a widget from one layout to the next. */
export type PaintList = ReadonlyMap<string, PaintItem>

/** Lists what these windows paint inside the screen. */
export function listPaint(nodes: readonly LaidOutNode[], screen: Rect): PaintList {
  const list = new Map<string, PaintItem>()
  addAll(list, nodes, '', (node) => intersect(screen, node.bounds), [])
  return list
}

function addAll(
  list: Map<string, PaintItem>,
  nodes: readonly LaidOutNode[],
  parent: string,
  clipOf: (node: LaidOutNode) => Rect | null,
  layers: readonly Layer[],
): void {
  const seen = new Map<string, number>()
  nodes.forEach((node, index) => {
    const isRoot = parent === ''
    const key = node.widget.key ?? (isRoot ? node.packageName : `${index}`)
    const name = `${parent}/${node.widget.key === undefined ? '' : 'key:'}${key.replaceAll('/', '//')}`
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    const clip = clipOf(node)
    if (clip !== null) add(list, node, count === 0 ? name : `${name}#${count}`, clip, layers)
  })
}

function add(
  list: Map<string, PaintItem>,
  node: LaidOutNode,
  name: string,
  clip: Rect,
  outerLayers: readonly Layer[],
): void {
  const { widget, bounds, children } = node
  const opacity = widget.style?.opacity ?? 1
  if (opacity <= 0) return
  const layers = opacity < 1 ? [...outerLayers, { opacity }] : outerLayers
  const wholeInk = inkRect(node)
  const ink = wholeInk === null ? null : intersect(wholeInk, clip)
  if (ink !== null) list.set(name, { widget, bounds, ink, layers })
  if (children.length === 0) return
  const inner = clipsChildren(widget) ? intersect(clip, bounds) : clip
  if (inner === null) return
  const innerLayers = hasRoundedClip(node)
    ? [...layers, { bounds, radii: radiiOf(widget.style ?? {}, bounds) }]
    : layers
  addAll(list, children, name, () => inner, innerLayers)
}

/** The rectangles in which two lists paint differently; they may overlap. */
export function damageBetween(before: PaintList, after: PaintList): Rect[] {
  const damage: Rect[] = []
  const places = new Map<string, number>()
  for (const [name, item] of before) {
    places.set(name, places.size)
    if (!after.has(name)) damage.push(item.ink)
  }
  let highest = -1
  for (const [name, item] of after) {
    const old = before.get(name)
    if (old === undefined) {
      damage.push(item.ink)
      continue
    }
    const place = places.get(name) ?? 0
    // Something that was drawn after it is now drawn before it.
    const isReordered = place < highest
    highest = Math.max(highest, place)
    if (isReordered || !paintsSame(old, item)) damage.push(old.ink, item.ink)
  }
  return damage
}

function paintsSame(one: PaintItem, other: PaintItem): boolean {
  return (
    isSameRect(one.bounds, other.bounds) &&
    isSameRect(one.ink, other.ink) &&
    (one.widget === other.widget || hasSameLook(one.widget, other.widget)) &&
    (one.layers === other.layers || deepEqual(one.layers, other.layers))
  )
}

function hasSameLook(one: Widget, other: Widget): boolean {
  if (!deepEqual(one.style, other.style)) return false
  switch (one.kind) {
    case 'box':
    case 'scroll':
      return other.kind === 'box' || other.kind === 'scroll'
    case 'text':
      return other.kind === 'text' && one.text === other.text && deepEqual(one.textStyle, other.textStyle)
    case 'icon':
      return other.kind === 'icon' && one.icon === other.icon && one.size === other.size && one.colour === other.colour
    case 'input':
      return (
        other.kind === 'input' &&
        one.text === other.text &&
        one.hint === other.hint &&
        one.caret === other.caret &&
        deepEqual(one.textStyle, other.textStyle)
      )
    default:
      return one satisfies never
  }
}
