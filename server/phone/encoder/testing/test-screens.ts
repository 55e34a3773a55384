import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { SKRSContext2D } from '@napi-rs/canvas'
import { alignRect, createI420Frame, writeRgbaIntoI420 } from '../i420'
import type { I420Frame, Rect } from '../i420'

const width = 540
const height = 1200

/** One picture of a sequence: the frame to encode (changed in place by the next), and how. */
export type SequenceStep = { frame: I420Frame; damage: Rect[]; isKey: boolean }

type Screen = { frame: I420Frame; draw(rect: Rect, paint: (context: SKRSContext2D) => void): Rect }

function createScreen(): Screen {
  const fontFile = createRequire(import.meta.url).resolve('@fontsource/inter/files/inter-latin-400-normal.woff2')
  GlobalFonts.register(readFileSync(fontFile), 'Inter')
  const context = createCanvas(width, height).getContext('2d')
  const frame = createI420Frame(width, height)
  return {
    frame,
    draw(rect, paint) {
      const area = alignRect(rect, width, height)
      context.save()
      context.beginPath()
      context.rect(area.x, area.y, area.width, area.height)
      context.clip()
      paint(context)
      context.restore()
      writeRgbaIntoI420(frame, context.getImageData(area.x, area.y, area.width, area.height).data, area)
      return area
    },
  }
}

const wholeScreen: Rect = { x: 0, y: 0, width, height }

function paintCards(context: SKRSContext2D, background: string, card: string, ink: string, title: string): void {
  context.fillStyle = background
  context.fillRect(0, 0, width, height)
  for (let index = 0; index < 8; index++) {
    const top = 70 + index * 128
    context.fillStyle = card
    context.shadowColor = 'rgba(0, 0, 0, 0.35)'
    context.shadowBlur = 12
    context.beginPath()
    context.roundRect(20, top, width - 40, 112, 18)
    context.fill()
    context.shadowBlur = 0
    context.fillStyle = `hsl(${index * 45}, 70%, 52%)`
    context.beginPath()
    context.arc(70, top + 56, 30, 0, Math.PI * 2)
    context.fill()
    context.fillStyle = ink
    context.font = '26px Inter'
    context.fillText(`${title} ${index + 1}`, 120, top + 44)
    context.font = '18px Inter'
    context.fillText('The quick brown fox jumps over the lazy dog', 120, top + 74)
    context.fillText(`Sent ${index * 7 + 3} minutes ago`, 120, top + 98)
  }
}

function fillText(context: SKRSContext2D, rect: Rect, background: string, ink: string, text: string): void {
  context.fillStyle = background
  context.fillRect(rect.x, rect.y, rect.width, rect.height)
  context.fillStyle = ink
  context.font = '20px Inter'
  context.fillText(text, rect.x + 8, rect.y + 24)
}

/** 30 pictures of a list at rest: only the clock, every picture, and a tab highlight, every third, change. */
export function* staticScreen(): Generator<SequenceStep> {
  const screen = createScreen()
  const clock = { x: 451, y: 7, width: 81, height: 33 }
  const first = screen.draw(wholeScreen, (context) => paintCards(context, '#f3f4f6', '#ffffff', '#111827', 'Message'))
  yield { frame: screen.frame, damage: [first], isKey: true }
  for (let picture = 1; picture < 30; picture++) {
    const damage: Rect[] = []
    const seconds = String(picture).padStart(2, '0')
    damage.push(screen.draw(clock, (context) => fillText(context, clock, '#f3f4f6', '#111827', `9:41:${seconds}`)))
    if (picture % 3 === 0) {
      const tabs = { x: 0, y: 1124, width, height: 76 }
      const selected = (picture / 3) % 4
      damage.push(
        screen.draw(tabs, (context) => {
          for (let tab = 0; tab < 4; tab++) {
            const isSelected = tab === selected
            const area = { x: tab * 135, y: 1124, width: 135, height: 76 }
            fillText(
              context,
              area,
              isSelected ? '#2563eb' : '#e5e7eb',
              isSelected ? '#ffffff' : '#374151',
              `Tab ${tab}`,
            )
          }
        }),
      )
    }
    yield { frame: screen.frame, damage, isKey: false }
  }
}

/** Typing with a blinking cursor; another screen appears at picture 15 and an IDR picture is asked for at 22. */
export function* typingScreen(): Generator<SequenceStep> {
  const screen = createScreen()
  const text = 'Meet at the station, 18:30 sharp!'
  const field = { x: 30, y: 1131, width: 480, height: 44 }
  const first = screen.draw(wholeScreen, (context) => paintCards(context, '#ffffff', '#eef2ff', '#1e1b4b', 'Contact'))
  yield { frame: screen.frame, damage: [first], isKey: true }
  for (let picture = 1; picture < 30; picture++) {
    const damage: Rect[] = []
    if (picture === 15) {
      damage.push(
        screen.draw(wholeScreen, (context) => paintCards(context, '#0f172a', '#1e293b', '#e2e8f0', 'Night mode')),
      )
    }
    const background = picture < 15 ? '#e5e7eb' : '#334155'
    const ink = picture < 15 ? '#111827' : '#f8fafc'
    const cursor = picture % 2 === 0 ? '|' : ''
    damage.push(
      screen.draw(field, (context) => fillText(context, field, background, ink, text.slice(0, picture) + cursor)),
    )
    yield { frame: screen.frame, damage, isKey: picture === 22 }
  }
}

export type Noise = {
  seed: number
  /** Distance from mid grey that samples reach; 128 makes every sample 0 or 255. */
  amplitude: number
  /** Side in samples of the squares that share a value; 1 unless given. */
  cell?: number
}

/** Fills a rectangle of even position and size, padding included, with repeatable noise. */
export function fillWithNoise(frame: I420Frame, rect: Rect, { seed, amplitude, cell = 1 }: Noise): void {
  for (const [plane, scale] of [
    [frame.y, 1],
    [frame.u, 2],
    [frame.v, 2],
  ] as const) {
    const stride = frame.codedWidth / scale
    for (let row = rect.y / scale; row < (rect.y + rect.height) / scale; row++) {
      for (let column = rect.x / scale; column < (rect.x + rect.width) / scale; column++) {
        const cellIndex = Math.floor(row / cell) * stride + Math.floor(column / cell)
        const random = randomOf(seed * 1_000_003 + plane.byteLength + scale * 7_919 + cellIndex)
        const sample = amplitude === 128 ? (random < 0.5 ? 0 : 255) : 128 + (random - 0.5) * 2 * amplitude
        plane[row * stride + column] = Math.round(sample)
      }
    }
  }
}

/** A number in [0, 1) that depends on nothing but `key` (the finalizer of MurmurHash3). */
function randomOf(key: number): number {
  let hash = key | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}
