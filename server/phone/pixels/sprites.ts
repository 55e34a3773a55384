import { createCanvas, Path2D } from '@napi-rs/canvas'
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { Colour, IconName } from '@/server/phone/ui/contract'
import { icons } from './icons'

/**
 * Small pictures of everything with a curved edge. A curve filled through a clip has other edge pixels than the same
 * curve filled whole; a picture copied through a clip has not. So painting a part of the screen gives exactly the pixels
 * of painting all of it.
 */

/** A surface from its top to its bottom. */
export type Fill = { top: Colour; bottom: Colour; height: number }
export type Border = { width: number; colour: Colour }
export type Corner = 'top-left' | 'top-right' | 'bottom-right' | 'bottom-left'

const maxBytes = 24 * 1024 * 1024
let keptBytes = 0
const sprites = new Map<string, Canvas>()

function sprite(key: string, width: number, height: number, draw: (context: SKRSContext2D) => void): Canvas {
  const known = sprites.get(key)
  if (known !== undefined) {
    // Used again: the youngest.
    sprites.delete(key)
    sprites.set(key, known)
    return known
  }
  const canvas = createCanvas(width, height)
  draw(canvas.getContext('2d'))
  sprites.set(key, canvas)
  keptBytes += bytesOf(canvas)
  for (const [oldKey, old] of sprites) {
    if (keptBytes <= maxBytes || old === canvas) break
    sprites.delete(oldKey)
    keptBytes -= bytesOf(old)
  }
  return canvas
}

function bytesOf(canvas: Canvas): number {
  return canvas.width * canvas.height * 4
}

/** The `radius` x `radius` corner of a box, with its border. */
export function cornerSprite(corner: Corner, radius: number, fill: Fill | null, border: Border | null): Canvas {
  const fillKey = fill === null ? '' : fill.top === fill.bottom ? fill.top : `${fill.top}/${fill.bottom}/${fill.height}`
  const borderKey = border === null ? '' : `${border.width}/${border.colour}`
  return sprite(`corner/${corner}/${radius}/${fillKey}/${borderKey}`, radius, radius, (context) => {
    const isRight = corner === 'top-right' || corner === 'bottom-right'
    const isBottom = corner === 'bottom-left' || corner === 'bottom-right'
    const height = Math.max(fill?.height ?? 0, 2 * radius)
    context.translate(isRight ? -radius : 0, isBottom ? radius - height : 0)
    // The box it is the corner of: as high as the real one (for the gradient), as wide as two corners.
    if (fill !== null) {
      context.fillStyle = fillStyle(context, fill, 0)
      context.beginPath()
      context.roundRect(0, 0, 2 * radius, height, radius)
      context.fill()
    }
    if (border !== null) {
      const { width, colour } = border
      context.fillStyle = colour
      context.beginPath()
      context.roundRect(0, 0, 2 * radius, height, radius)
      const inner = 2 * (radius - width)
      if (inner > 0) context.roundRect(width, width, inner, height - 2 * width, radius - width)
      context.fill('evenodd')
    }
  })
}

/** What paints a fill from `y` down: a colour, or a gradient over the whole height. */
export function fillStyle(context: SKRSContext2D, fill: Fill, y: number): SKRSContext2D['fillStyle'] {
  if (fill.top === fill.bottom) return fill.top
  const gradient = context.createLinearGradient(0, y, 0, y + fill.height)
  gradient.addColorStop(0, fill.top)
  gradient.addColorStop(1, fill.bottom)
  return gradient
}

/** An icon of `size` x `size` pixels. */
export function iconSprite(icon: IconName, size: number, colour: Colour): Canvas {
  return sprite(`icon/${icon}/${size}/${colour}`, Math.max(1, size), Math.max(1, size), (context) => {
    context.scale(size / 24, size / 24)
    context.fillStyle = colour
    context.strokeStyle = colour
    context.lineCap = 'round'
    context.lineJoin = 'round'
    for (const part of icons[icon]) {
      const path = new Path2D(part.path)
      context.lineWidth = part.strokeWidth ?? strokeWidth(size)
      if (part.isFilled === true) context.fill(path)
      else context.stroke(path)
    }
  })
}

/** Large icons are drawn with a finer line. */
function strokeWidth(size: number): number {
  return size >= 48 ? 1.6 : 1.9
}

export const shadows = {
  low: [
    { offset: 1, blur: 3, colour: '#10182814' },
    { offset: 3, blur: 10, colour: '#10182812' },
  ],
  high: [
    { offset: 3, blur: 8, colour: '#10182814' },
    { offset: 12, blur: 36, colour: '#10182829' },
  ],
} as const
export type ShadowName = keyof typeof shadows

/** How far a shadow reaches beyond its box, on each side alike. */
export function shadowReach(name: ShadowName): number {
  return Math.max(...shadows[name].map(({ offset, blur }) => offset + Math.ceil(1.5 * blur)))
}

/** The shadow of a `width` x `height` box, `shadowReach` larger on each side. */
export function shadowSprite(name: ShadowName, width: number, height: number, radii: readonly number[]): Canvas {
  const reach = shadowReach(name)
  return sprite(
    `shadow/${name}/${width}/${height}/${radii.join(',')}`,
    width + 2 * reach,
    height + 2 * reach,
    (context) => {
      // The box itself stands outside the picture; only its shadow falls inside.
      const away = 4 * (width + height + reach)
      context.fillStyle = '#000000'
      for (const { offset, blur, colour } of shadows[name]) {
        context.shadowColor = colour
        context.shadowBlur = blur
        context.shadowOffsetX = away
        context.shadowOffsetY = offset
        context.beginPath()
        context.roundRect(reach - away, reach, width, height, [...radii])
        context.fill()
      }
    },
  )
}
