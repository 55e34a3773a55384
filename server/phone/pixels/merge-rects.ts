import type { Rect } from '@/server/phone/ui/contract'
import { intersect, unite } from '@/server/phone/ui/rect'

/** Rectangles are few enough for video and large enough to be worth a pass. */
const maxRects = 6

/** Covers all rectangles with at most six that do not overlap. */
export function mergeRects(rects: readonly Rect[]): Rect[] {
  let merged: Rect[] = []
  for (const rect of rects) merged = add(merged, rect)
  while (merged.length > maxRects) merged = mergeClosest(merged)
  return merged
}

function add(rects: readonly Rect[], added: Rect): Rect[] {
  let rect = added
  let others = [...rects]
  for (;;) {
    const apart: Rect[] = []
    let isGrown = false
    for (const other of others) {
      if (intersect(rect, other) === null && waste(rect, other) > 0) apart.push(other)
      else {
        rect = unite(rect, other)
        isGrown = true
      }
    }
    others = apart
    if (!isGrown) return [...others, rect]
  }
}

/** Joins the two that cost the fewest pixels more when they are one. */
function mergeClosest(rects: readonly Rect[]): Rect[] {
  let best: { first: Rect; second: Rect; waste: number } | null = null
  rects.forEach((first, index) => {
    for (const second of rects.slice(index + 1)) {
      const wasted = waste(first, second)
      if (best === null || wasted < best.waste) best = { first, second, waste: wasted }
    }
  })
  if (best === null) return [...rects]
  const { first, second }: { first: Rect; second: Rect } = best
  return add(
    rects.filter((rect) => rect !== first && rect !== second),
    unite(first, second),
  )
}

function waste(one: Rect, other: Rect): number {
  return area(unite(one, other)) - area(one) - area(other)
}

function area({ width, height }: Rect): number {
  return width * height
}
