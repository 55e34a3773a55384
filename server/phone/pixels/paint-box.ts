import type { SKRSContext2D } from '@napi-rs/canvas'
import type { BoxStyle, Rect } from '@/server/phone/ui/contract'
import { cornerSprite, fillStyle, shadowReach, shadowSprite } from './sprites'
import type { Border, Corner, Fill, ShadowName } from './sprites'

/** Top-left, top-right, bottom-right, bottom-left; whole pixels. */
export type Radii = readonly [number, number, number, number]

const corners: readonly Corner[] = ['top-left', 'top-right', 'bottom-right', 'bottom-left']

/** A box's radii, cut so that no corner is larger than half of the box. */
export function radiiOf(style: BoxStyle, { width, height }: Rect): Radii {
  const most = Math.floor(Math.min(width, height) / 2)
  const cut = (radius: number): number => Math.max(0, Math.min(most, Math.round(radius)))
  const { radius = 0 } = style
  if (typeof radius === 'number') return [cut(radius), cut(radius), cut(radius), cut(radius)]
  return [cut(radius[0]), cut(radius[1]), cut(radius[2]), cut(radius[3])]
}

/** Draws what a box shows of itself: shadow, surface, border and hairline. */
export function paintBox(context: SKRSContext2D, style: BoxStyle, bounds: Rect): void {
  if (bounds.width <= 0 || bounds.height <= 0) return
  const radii = radiiOf(style, bounds)
  if (style.shadow !== undefined) paintShadow(context, style.shadow, bounds, radii)
  const fill = fillOf(style, bounds.height)
  const border = style.border !== undefined && style.border.width > 0 ? style.border : null
  if (fill !== null || border !== null) paintSurface(context, bounds, radii, fill, border)
  if (style.hairline !== undefined) {
    const y = style.hairline.edge === 'top' ? bounds.y : bounds.y + bounds.height - 1
    context.fillStyle = style.hairline.colour
    context.fillRect(bounds.x, y, bounds.width, 1)
  }
}

function fillOf(style: BoxStyle, height: number): Fill | null {
  if (style.gradient !== undefined) return { top: style.gradient[0], bottom: style.gradient[1], height }
  return style.background === undefined ? null : { top: style.background, bottom: style.background, height }
}

function paintSurface(
  context: SKRSContext2D,
  bounds: Rect,
  radii: Radii,
  fill: Fill | null,
  border: Border | null,
): void {
  const { x, y, width, height } = bounds
  const [topLeft, topRight, bottomRight, bottomLeft] = radii
  radii.forEach((radius, index) => {
    const corner = corners[index]
    if (radius === 0 || corner === undefined) return
    const isRight = corner === 'top-right' || corner === 'bottom-right'
    const isBottom = corner === 'bottom-left' || corner === 'bottom-right'
    context.drawImage(
      cornerSprite(corner, radius, fill, border),
      isRight ? x + width - radius : x,
      isBottom ? y + height - radius : y,
    )
  })
  const rect = (left: number, top: number, right: number, bottom: number): void => {
    if (right > left && bottom > top) context.fillRect(x + left, y + top, right - left, bottom - top)
  }
  if (fill !== null) {
    context.fillStyle = fillStyle(context, fill, y)
    // The box without its corners, in bands that do not overlap, so that a translucent fill stays even.
    const lines = [0, topLeft, topRight, height - bottomLeft, height - bottomRight, height].toSorted((a, b) => a - b)
    for (let index = 1; index < lines.length; index++) {
      const top = lines[index - 1] ?? 0
      const bottom = lines[index] ?? 0
      const left = bottom <= topLeft ? topLeft : top >= height - bottomLeft ? bottomLeft : 0
      const right = bottom <= topRight ? topRight : top >= height - bottomRight ? bottomRight : 0
      rect(left, top, width - right, bottom)
    }
  }
  if (border === null) return
  const line = Math.min(border.width, Math.floor(width / 2), Math.floor(height / 2))
  context.fillStyle = border.colour
  const side = (radius: number): number => Math.max(radius, line)
  rect(topLeft, 0, width - topRight, line)
  rect(bottomLeft, height - line, width - bottomRight, height)
  rect(0, side(topLeft), line, height - side(bottomLeft))
  rect(width - line, side(topRight), width, height - side(bottomRight))
}

/** Draws a shadow from one picture of the smallest box with its corners, its middle row and column stretched. */
function paintShadow(context: SKRSContext2D, name: ShadowName, bounds: Rect, radii: Radii): void {
  const reach = shadowReach(name)
  // Beyond this from an edge the shadow no longer changes along it.
  const edge = Math.max(...radii) + reach
  const width = Math.min(bounds.width, 2 * edge + 1)
  const height = Math.min(bounds.height, 2 * edge + 1)
  const picture = shadowSprite(name, width, height, radii)
  const columns = slices(bounds.x - reach, bounds.width + 2 * reach, width + 2 * reach, edge + reach)
  const rows = slices(bounds.y - reach, bounds.height + 2 * reach, height + 2 * reach, edge + reach)
  context.imageSmoothingEnabled = false
  for (const row of rows) {
    for (const column of columns) {
      context.drawImage(
        picture,
        column.from,
        row.from,
        column.size,
        row.size,
        column.to,
        row.to,
        column.length,
        row.length,
      )
    }
  }
}

type Slice = { from: number; size: number; to: number; length: number }

function slices(start: number, length: number, pictureLength: number, end: number): Slice[] {
  if (length === pictureLength) return [{ from: 0, size: length, to: start, length }]
  return [
    { from: 0, size: end, to: start, length: end },
    { from: end, size: 1, to: start + end, length: length - 2 * end },
    { from: pictureLength - end, size: end, to: start + length - end, length: end },
  ]
}
