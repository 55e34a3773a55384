import type { Point } from '@/server/trajectory/contract'

export type ScreenSize = { width: number; height: number }

/**
 * A point in the pixels of a screen of this size, not rounded. Pixels of another size are scaled to it.
 * Throws RangeError when the size is not positive.
 */
export function toPixels(point: Point, size: ScreenSize): Point {
  if (!(size.width > 0 && size.height > 0)) throw new RangeError(`No screen is ${size.width} x ${size.height}`)
  const { x, y } = toFraction(point)
  return { x: x * size.width, y: y * size.height, space: { kind: 'pixels', width: size.width, height: size.height } }
}

/** A point as a fraction of its screen: 0 is the left or top edge, 1 the right or bottom one. */
export function toFraction(point: Point): Point {
  const { x, y, space } = point
  switch (space.kind) {
    case 'fraction':
      return point
    case 'pixels':
      return { x: x / space.width, y: y / space.height, space: { kind: 'fraction' } }
    default: {
      const unknown: never = space
      throw new RangeError(`Unknown space ${JSON.stringify(unknown)}`)
    }
  }
}

/** The device pixel under a point: whole numbers within the screen, as touch input takes them. */
export function toDevicePixel(point: Point, size: ScreenSize): Point {
  const { x, y, space } = toPixels(point, size)
  const within = (value: number, length: number) => Math.min(length - 1, Math.max(0, Math.floor(value)))
  return { x: within(x, size.width), y: within(y, size.height), space }
}
