import type { LaidOutNode, Rect } from '@/server/phone/ui/contract'
import { shadowReach } from './sprites'

/** The rectangle a node's own painting stays within; null when it paints nothing of its own. */
export function inkRect(node: LaidOutNode): Rect | null {
  const { widget, bounds } = node
  const style = widget.style ?? {}
  const isSurface =
    style.background !== undefined ||
    style.gradient !== undefined ||
    style.border !== undefined ||
    style.hairline !== undefined ||
    style.shadow !== undefined
  const isText = widget.kind === 'text' || widget.kind === 'input'
  if (!isSurface && !isText && widget.kind !== 'icon') return null
  const reach = Math.max(
    style.shadow === undefined ? 0 : shadowReach(style.shadow),
    widget.kind === 'text' ? textReach(widget.textStyle.size) : 0,
  )
  return grow(bounds, reach)
}

/** How far letters may leave a text's bounds (accents, tails, a line height below the size); what is farther is cut. */
export function textReach(size: number): number {
  return Math.ceil(size * 0.3)
}

export function grow({ x, y, width, height }: Rect, reach: number): Rect {
  return { x: x - reach, y: y - reach, width: width + 2 * reach, height: height + 2 * reach }
}
