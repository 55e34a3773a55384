import type { BoxStyle, LaidOutNode, Rect } from './contract'

type Sides = number | [number, number] | [number, number, number, number] | undefined

/** Top, right, bottom, left. */
export type Edges = readonly [number, number, number, number]

/** Spells out a padding or a margin. */
export function edgesOf(sides: Sides): Edges {
  if (sides === undefined) return [0, 0, 0, 0]
  if (typeof sides === 'number') return [sides, sides, sides, sides]
  if (sides.length === 2) return [sides[0], sides[1], sides[0], sides[1]]
  return sides
}

/** Where a node's text or icon stands: its bounds without border and padding. */
export function contentRect(node: LaidOutNode): Rect {
  const style: BoxStyle = node.widget.style ?? {}
  const border = style.border?.width ?? 0
  const [top, right, bottom, left] = edgesOf(style.padding)
  const { x, y, width, height } = node.bounds
  return {
    x: x + left + border,
    y: y + top + border,
    width: Math.max(0, width - left - right - 2 * border),
    height: Math.max(0, height - top - bottom - 2 * border),
  }
}
