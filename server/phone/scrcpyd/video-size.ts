import type { Rect } from '@/server/phone/ui/contract'

export type Size = { width: number; height: number }

/** The video's size for a screen: the screen's own, or one whose longer side is at most `maxSize`, in multiples of 8. */
export function videoSizeOf(screen: Size, maxSize: number): Size {
  const longer = Math.max(screen.width, screen.height)
  if (maxSize === 0 || maxSize >= longer) return screen
  const scaled = (side: number) => Math.max(16, Math.floor((side * maxSize) / longer / 8) * 8)
  return { width: scaled(screen.width), height: scaled(screen.height) }
}

/** The rectangle of a `from` sized picture, in a `to` sized one: grown to whole pixels. */
export function scaleRect(rect: Rect, from: Size, to: Size): Rect {
  const x = Math.floor((rect.x * to.width) / from.width)
  const y = Math.floor((rect.y * to.height) / from.height)
  const right = Math.min(to.width, Math.ceil(((rect.x + rect.width) * to.width) / from.width))
  const bottom = Math.min(to.height, Math.ceil(((rect.y + rect.height) * to.height) / from.height))
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) }
}

/**
 * The part `target` of a picture shrunk from `from` to `to`: each pixel is the mean of those it covers. `rgba` holds the part
 * `source` of the original, rows packed, which must contain all of them.
 */
export function shrinkRgba(
  rgba: Uint8ClampedArray,
  source: Rect,
  target: Rect,
  from: Size,
  to: Size,
): Uint8ClampedArray {
  const result = new Uint8ClampedArray(target.width * target.height * 4)
  for (let row = 0; row < target.height; row++) {
    const top = Math.floor(((target.y + row) * from.height) / to.height)
    const bottom = Math.max(top + 1, Math.floor(((target.y + row + 1) * from.height) / to.height))
    for (let column = 0; column < target.width; column++) {
      const left = Math.floor(((target.x + column) * from.width) / to.width)
      const right = Math.max(left + 1, Math.floor(((target.x + column + 1) * from.width) / to.width))
      let [red, green, blue] = [0, 0, 0]
      for (let y = top; y < bottom; y++) {
        let at = ((y - source.y) * source.width + left - source.x) * 4
        for (let x = left; x < right; x++, at += 4) {
          red += rgba[at]!
          green += rgba[at + 1]!
          blue += rgba[at + 2]!
        }
      }
      const count = (bottom - top) * (right - left)
      const to4 = (row * target.width + column) * 4
      result[to4] = red / count
      result[to4 + 1] = green / count
      result[to4 + 2] = blue / count
      result[to4 + 3] = 255
    }
  }
  return result
}
