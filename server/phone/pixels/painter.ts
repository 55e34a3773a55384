import { createCanvas } from '@napi-rs/canvas'
import type { SKRSContext2D } from '@napi-rs/canvas'
import { contentRect } from '@/server/phone/ui/box-edges'
import type { LaidOutNode, Rect } from '@/server/phone/ui/contract'
import { clipsChildren } from '@/server/phone/ui/layout'
import { intersect, unite } from '@/server/phone/ui/rect'
import { grow, inkRect, textReach } from './ink'
import { paintBox, radiiOf } from './paint-box'
import { paintInput, paintText } from './paint-text'
import { cornerSprite, iconSprite } from './sprites'

/** What shows where no window is. */
const nothing = '#000000'

/**
 * Draws windows, the lowest first, inside a rectangle of whole pixels; outside nothing changes. The pixels inside do not
 * depend on where the rectangle's edges are.
 */
export function paint(context: SKRSContext2D, nodes: readonly LaidOutNode[], area: Rect): void {
  clipped(context, area, () => {
    context.fillStyle = nothing
    context.fillRect(area.x, area.y, area.width, area.height)
    for (const node of nodes) {
      const clip = intersect(area, node.bounds)
      if (clip !== null) clipped(context, clip, () => paintNode(context, node, clip, 0))
    }
  })
}

/** Whether a node's children are cut by rounded corners. */
export function hasRoundedClip(node: LaidOutNode): boolean {
  const style = node.widget.style
  return (
    clipsChildren(node.widget) &&
    style?.radius !== undefined &&
    radiiOf(style, node.bounds).some((radius) => radius > 0)
  )
}

function paintNode(context: SKRSContext2D, node: LaidOutNode, clip: Rect, depth: number): void {
  const opacity = node.widget.style?.opacity ?? 1
  if (opacity <= 0) return
  if (opacity >= 1) return paintOpaque(context, node, clip, depth)
  paintLayer(context, node, clip, depth, opacity, (layer, area) => paintOpaque(layer, node, area, depth + 1))
}

function paintOpaque(context: SKRSContext2D, node: LaidOutNode, clip: Rect, depth: number): void {
  paintOwn(context, node, clip)
  if (node.children.length === 0) return
  if (!clipsChildren(node.widget)) {
    for (const child of node.children) paintNode(context, child, clip, depth)
    return
  }
  const inner = intersect(clip, node.bounds)
  if (inner === null) return
  if (!hasRoundedClip(node)) {
    clipped(context, inner, () => {
      for (const child of node.children) paintNode(context, child, inner, depth)
    })
    return
  }
  paintLayer(context, node, inner, depth, 1, (layer, area) => {
    for (const child of node.children) paintNode(layer, child, area, depth + 1)
    eraseCorners(layer, node)
  })
}

function paintOwn(context: SKRSContext2D, node: LaidOutNode, clip: Rect): void {
  const ink = inkRect(node)
  if (ink === null || intersect(ink, clip) === null) return
  const { widget, bounds } = node
  if (widget.style !== undefined) paintBox(context, widget.style, bounds)
  switch (widget.kind) {
    case 'text': {
      const area = intersect(clip, grow(bounds, textReach(widget.textStyle.size)))
      if (area !== null) clipped(context, area, () => paintText(context, node, widget))
      return
    }
    case 'input': {
      const area = intersect(clip, bounds)
      const content =
        area === null ? null : intersect(area, { ...contentRect(node), y: bounds.y, height: bounds.height })
      if (content !== null) clipped(context, content, () => paintInput(context, node, widget))
      return
    }
    case 'icon': {
      const { x, y, width, height } = contentRect(node)
      const size = Math.max(1, Math.round(widget.size))
      const picture = iconSprite(widget.icon, size, widget.colour)
      const draw = (): void =>
        context.drawImage(picture, x + Math.floor((width - size) / 2), y + Math.floor((height - size) / 2))
      const area = intersect(clip, bounds)
      if (width >= size && height >= size) draw()
      else if (area !== null) clipped(context, area, draw)
      return
    }
    case 'box':
    case 'scroll':
      return
    default:
      return widget satisfies never
  }
}

function clipped(context: SKRSContext2D, area: Rect, draw: () => void): void {
  context.save()
  context.beginPath()
  context.rect(area.x, area.y, area.width, area.height)
  context.clip()
  draw()
  context.restore()
}

const layers: SKRSContext2D[] = []

/** Paints on a canvas of its own, then lays that over the context. */
function paintLayer(
  context: SKRSContext2D,
  node: LaidOutNode,
  clip: Rect,
  depth: number,
  opacity: number,
  draw: (layer: SKRSContext2D, area: Rect) => void,
): void {
  const extent = extentOf(node)
  const area = extent === null ? null : intersect(extent, clip)
  if (area === null) return
  const layer = layerOf(depth, area)
  clipped(layer, area, () => {
    layer.clearRect(area.x, area.y, area.width, area.height)
    draw(layer, area)
    if (opacity >= 1) return
    // Not by globalAlpha: a picture drawn with it comes out a shade apart in areas of another width.
    layer.globalCompositeOperation = 'destination-in'
    layer.fillStyle = `rgba(0, 0, 0, ${opacity})`
    layer.fillRect(area.x, area.y, area.width, area.height)
  })
  const { x, y, width, height } = area
  context.drawImage(layer.canvas, x, y, width, height, x, y, width, height)
}

/** The canvas of layers inside `depth` others, large enough for the area. */
function layerOf(depth: number, area: Rect): SKRSContext2D {
  const width = area.x + area.width
  const height = area.y + area.height
  const known = layers[depth]
  if (known !== undefined && known.canvas.width >= width && known.canvas.height >= height) return known
  const layer = createCanvas(
    Math.max(width, known?.canvas.width ?? 0),
    Math.max(height, known?.canvas.height ?? 0),
  ).getContext('2d')
  layers[depth] = layer
  return layer
}

/** Around everything a node and what is in it paint. */
function extentOf(node: LaidOutNode): Rect | null {
  let extent = inkRect(node)
  for (const child of node.children) {
    const below = extentOf(child)
    if (below !== null) extent = extent === null ? below : unite(extent, below)
  }
  return extent
}

function eraseCorners(context: SKRSContext2D, node: LaidOutNode): void {
  const { x, y, width, height } = node.bounds
  const [topLeft, topRight, bottomRight, bottomLeft] = radiiOf(node.widget.style ?? {}, node.bounds)
  const fill = { top: nothing, bottom: nothing, height: 0 } as const
  const keep = (corner: Parameters<typeof cornerSprite>[0], radius: number, left: number, top: number): void => {
    if (radius === 0) return
    // Within the corner's square, only what the quarter circle covers stays.
    clipped(context, { x: left, y: top, width: radius, height: radius }, () => {
      context.globalCompositeOperation = 'destination-in'
      context.drawImage(cornerSprite(corner, radius, fill, null), left, top)
    })
  }
  keep('top-left', topLeft, x, y)
  keep('top-right', topRight, x + width - topRight, y)
  keep('bottom-right', bottomRight, x + width - bottomRight, y + height - bottomRight)
  keep('bottom-left', bottomLeft, x, y + height - bottomLeft)
}
