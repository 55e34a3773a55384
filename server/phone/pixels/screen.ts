import { createCanvas } from '@napi-rs/canvas'
import type { PhoneScreen } from '@/server/phone/contract'
import type { LaidOutNode, Rect } from '@/server/phone/ui/contract'
import { mergeRects } from './merge-rects'
import { damageBetween, listPaint } from './paint-list'
import type { PaintList } from './paint-list'
import { paint } from './painter'

/**
 * A screen that repaints only what changed: after every `render` its pixels are those of a whole repaint. `nodes` gives
 * the windows as they are now; the very same array as last time means that nothing changed.
 */
export function createPhoneScreen({
  width,
  height,
  nodes,
}: {
  width: number
  height: number
  nodes: () => readonly LaidOutNode[]
}): PhoneScreen {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const whole: Rect = { x: 0, y: 0, width, height }
  let painted: { nodes: readonly LaidOutNode[]; list: PaintList } | null = null
  return {
    render() {
      const shown = nodes()
      if (painted !== null && painted.nodes === shown) return []
      const list = listPaint(shown, whole)
      const damage = painted === null ? [whole] : mergeRects(damageBetween(painted.list, list))
      for (const rect of damage) paint(context, shown, rect)
      painted = { nodes: shown, list }
      return damage
    },
    rgba({ x, y, width: rectWidth, height: rectHeight }) {
      const { data } = context.getImageData(x, y, rectWidth, rectHeight)
      return new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength)
    },
    png() {
      return canvas.toBuffer('image/png')
    },
  }
}
