import type { LaidOutNode, Rect, Widget } from './contract'
import { deepEqual } from './deep-equal'
import { intersect } from './rect'
import { computeBoxes } from './yoga-box'
import type { Box } from './yoga-box'

export type LayoutWindow = { root: Widget; packageName: string; bounds: Rect }

/**
 * Lays a tree out from (0, 0). The root fills `width` x `height` whatever its style says; nothing outside is
 * visible. `scroll` is `ui.scroll`; an offset out of range counts as the nearest that is not.
 */
export function layOut(
  root: Widget,
  options: { packageName: string; width: number; height: number; scroll: Record<string, number> },
): LaidOutNode {
  const { packageName, width, height, scroll } = options
  return layOutWindow({ root, packageName, bounds: { x: 0, y: 0, width, height } }, scroll)
}

/** Lays windows out, each in its bounds; the lowest first. Returns their roots in the same order. */
export function layOutWindows(windows: readonly LayoutWindow[], scroll: Record<string, number>): LaidOutNode[] {
  return windows.map((window) => layOutWindow(window, scroll))
}

type Kept = {
  window: LayoutWindow
  boxes: Box
  scrollIds: readonly string[]
  offsets: readonly (number | undefined)[]
  node: LaidOutNode
}

/**
 * The last layout of every window place. A screen is a handful of windows of which mostly one changes, and scrolling
 * changes no sizes; the same input gives the same node, so that painting sees at once that nothing happened.
 */
const kept = new Map<string, Kept>()
const maxKept = 16

function layOutWindow(window: LayoutWindow, scroll: Record<string, number>): LaidOutNode {
  const { root, packageName, bounds } = window
  const place = `${packageName}/${bounds.x}/${bounds.y}/${bounds.width}/${bounds.height}`
  const last = kept.get(place)
  const found = last !== undefined && deepEqual(last.window.root, root) ? last : undefined
  const boxes = found?.boxes ?? computeBoxes(root, bounds.width, bounds.height)
  const scrollIds = found?.scrollIds ?? scrollIdsOf(boxes)
  const offsets = scrollIds.map((id) => scroll[id])
  if (found !== undefined && offsets.every((offset, at) => offset === found.offsets[at])) return found.node
  const node = placeBox(boxes, bounds.x, bounds.y, bounds, { packageName, scroll })
  kept.delete(place)
  kept.set(place, { window, boxes, scrollIds, offsets, node })
  const oldest = kept.keys().next().value
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return node
}

function scrollIdsOf(box: Box): string[] {
  const own = box.widget.kind === 'scroll' ? [box.widget.scrollId] : []
  return [...own, ...box.children.flatMap(scrollIdsOf)]
}

function placeBox(
  box: Box,
  parentX: number,
  parentY: number,
  clip: Rect | null,
  context: { packageName: string; scroll: Record<string, number> },
): LaidOutNode {
  const { widget } = box
  const bounds = { x: parentX + box.x, y: parentY + box.y, width: box.width, height: box.height }
  const isShown = widget.style?.opacity !== 0
  const visible = clip === null || !isShown ? null : intersect(bounds, clip)
  const inner = clipsChildren(widget) ? visible : isShown ? clip : null
  const scroll = scrollOf(box, context.scroll)
  const isFromBottom = widget.kind === 'scroll' && widget.anchor === 'bottom'
  const shift = scroll === null ? 0 : isFromBottom ? scroll.maxOffset - scroll.offset : scroll.offset
  const children = box.children.map((child) => placeBox(child, bounds.x, bounds.y - shift, inner, context))
  return { widget, packageName: context.packageName, bounds, visible, children, scroll }
}

/** Whether what stands outside a widget's bounds is cut off. */
export function clipsChildren(widget: Widget): boolean {
  return widget.kind === 'scroll' || widget.style?.clip === true
}

function scrollOf(box: Box, offsets: Record<string, number>): LaidOutNode['scroll'] {
  if (box.widget.kind !== 'scroll') return null
  const maxOffset = Math.max(0, box.contentHeight - box.height)
  const wanted = offsets[box.widget.scrollId] ?? 0
  const offset = Number.isFinite(wanted) ? Math.min(maxOffset, Math.max(0, Math.round(wanted))) : 0
  return { contentHeight: box.contentHeight, maxOffset, offset }
}
