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
 * The last layouts, newest first. A screen is a handful of windows of which mostly one changes, and scrolling changes
 * none; the same input gives the same node, so that painting sees at once that nothing happened.
 */
const kept: Kept[] = []
const maxKept = 12

function layOutWindow(window: LayoutWindow, scroll: Record<string, number>): LaidOutNode {
  const index = kept.findIndex((entry) => isSameWindow(entry.window, window))
  const found = index === -1 ? undefined : kept.splice(index, 1)[0]
  const boxes = found?.boxes ?? computeBoxes(window.root, window.bounds.width, window.bounds.height)
  const scrollIds = found?.scrollIds ?? scrollIdsOf(boxes)
  const offsets = scrollIds.map((id) => scroll[id])
  const isUnmoved = found !== undefined && offsets.every((offset, at) => offset === found.offsets[at])
  const node = isUnmoved
    ? found.node
    : place(boxes, window.bounds.x, window.bounds.y, window.bounds, { packageName: window.packageName, scroll })
  kept.unshift({ window, boxes, scrollIds, offsets, node })
  kept.length = Math.min(kept.length, maxKept)
  return node
}

function isSameWindow(one: LayoutWindow, other: LayoutWindow): boolean {
  return one.packageName === other.packageName && deepEqual(one.bounds, other.bounds) && deepEqual(one.root, other.root)
}

function scrollIdsOf(box: Box): string[] {
  const own = box.widget.kind === 'scroll' ? [box.widget.scrollId] : []
  return [...own, ...box.children.flatMap(scrollIdsOf)]
}

function place(
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
  const children = box.children.map((child) => place(child, bounds.x, bounds.y - shift, inner, context))
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
