import type { Rect } from './contract'

/** What two rectangles share; null when that is nothing. */
export function intersect(one: Rect, other: Rect): Rect | null {
  const x = Math.max(one.x, other.x)
  const y = Math.max(one.y, other.y)
  const width = Math.min(one.x + one.width, other.x + other.width) - x
  const height = Math.min(one.y + one.height, other.y + other.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : null
}

/** The smallest rectangle around both. */
export function unite(one: Rect, other: Rect): Rect {
  const x = Math.min(one.x, other.x)
  const y = Math.min(one.y, other.y)
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

export function contains(rect: Rect, x: number, y: number): boolean {
  return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height
}

export function isSameRect(one: Rect | null, other: Rect | null): boolean {
  if (one === null || other === null) return one === other
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height
}
