import { createCanvas } from '@napi-rs/canvas'
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { TextStyle } from '@/server/phone/ui/contract'
import { fontOf, loadFonts } from './fonts'
import { graphemesOf, lineUnits } from './line-units'
import { shownText } from './shown-text'

export type BrokenText = {
  /** As drawn, without the spaces at their ends. */
  lines: string[]
  /** Where each line begins in the text, in UTF-16 units. */
  starts: number[]
  /** Of the widest line, rounded up; device pixels. */
  width: number
  height: number
}

const maxRemembered = 4000
const ellipsis = '…'
/** Widths are sums of floats: this much too wide still fits. */
const tolerance = 0.01

const broken = new Map<string, BrokenText>()
const widths = new Map<string, number>()
let ruler: SKRSContext2D | null = null

/** Sets the font of a context to that of a text style, the same on every machine. */
export function useTextStyle(context: SKRSContext2D, textStyle: TextStyle): void {
  loadFonts()
  context.lang = 'en'
  context.font = fontOf(textStyle)
  context.letterSpacing = `${letterSpacingOf(textStyle)}px`
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
}

/** Inter is spaced for small print: larger text stands a little closer unless its style says otherwise. */
function letterSpacingOf({ size, letterSpacing }: TextStyle): number {
  return letterSpacing ?? (size >= 18 ? -0.012 * size : 0)
}

export function lineHeightOf(textStyle: TextStyle): number {
  return textStyle.lineHeight ?? Math.round(textStyle.size * 1.36)
}

/** Width of one line in device pixels, not rounded. */
export function measureText(text: string, textStyle: TextStyle): number {
  if (text === '') return 0
  const key = `${textStyle.size}/${textStyle.weight ?? 400}/${letterSpacingOf(textStyle)}/${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  ruler ??= createCanvas(1, 1).getContext('2d')
  useTextStyle(ruler, textStyle)
  const width = ruler.measureText(shownText(text)).width
  remember(widths, key, width)
  return width
}

/**
 * Breaks a text into lines: between words, between any two characters of a script written without spaces, and inside a
 * word only when it is wider than a whole line. Lines after `maxLines` are cut with an ellipsis. The lines are the same
 * for every width from that of the widest line up to `maxWidth`, so measuring and drawing agree.
 */
export function breakText(text: string, textStyle: TextStyle, maxWidth: number): BrokenText {
  const { size, weight = 400, maxLines = 0 } = textStyle
  const letterSpacing = letterSpacingOf(textStyle)
  const lineHeight = lineHeightOf(textStyle)
  const key = `${size}/${weight}/${letterSpacing}/${maxLines}/${lineHeight}/${maxWidth}/${text}`
  const known = broken.get(key)
  if (known !== undefined) return known
  const lines = cutLines(text, fillLines(text, textStyle, maxWidth), textStyle, maxWidth)
  const result: BrokenText = {
    lines: lines.map((line) => line.text),
    starts: lines.map((line) => line.start),
    width: Math.ceil(Math.max(0, ...lines.map((line) => line.width)) - tolerance),
    height: lines.length * lineHeight,
  }
  remember(broken, key, result)
  return result
}

type Line = { start: number; text: string; width: number }

function fillLines(text: string, textStyle: TextStyle, maxWidth: number): Line[] {
  const lines: Line[] = []
  let line = { start: 0, end: 0, width: 0 }
  let spaceWidth = 0
  const finish = (nextStart: number): void => {
    lines.push({ start: line.start, text: shownText(text.slice(line.start, line.end)), width: line.width })
    line = { start: nextStart, end: nextStart, width: 0 }
    spaceWidth = 0
  }
  for (const unit of lineUnits(text)) {
    const width = measureText(text.slice(unit.start, unit.end), textStyle)
    const isEmpty = line.end === line.start
    if ((!isEmpty || spaceWidth > 0) && width > 0 && line.width + spaceWidth + width > maxWidth + tolerance)
      finish(unit.start)
    if (width > maxWidth + tolerance) {
      // Wider than a whole line: filled character by character.
      let offset = unit.start
      for (const grapheme of graphemesOf(text.slice(unit.start, unit.end))) {
        const graphemeWidth = measureText(grapheme, textStyle)
        if (line.end > line.start && line.width + graphemeWidth > maxWidth + tolerance) finish(offset)
        offset += grapheme.length
        line = { ...line, end: offset, width: line.width + graphemeWidth }
      }
      spaceWidth = 0
    } else if (width > 0) {
      line = { ...line, end: unit.end, width: line.width + spaceWidth + width }
      spaceWidth = 0
    }
    if (unit.endsLine) finish(unit.spaceEnd)
    else spaceWidth += measureText(text.slice(unit.end, unit.spaceEnd), textStyle)
  }
  finish(text.length)
  return lines
}

function cutLines(text: string, lines: Line[], textStyle: TextStyle, maxWidth: number): Line[] {
  const { maxLines } = textStyle
  if (maxLines === undefined || lines.length <= maxLines) return lines
  const last = lines[maxLines - 1]
  if (last === undefined) return []
  const newline = text.indexOf('\n', last.start)
  const rest = graphemesOf(text.slice(last.start, newline === -1 ? undefined : newline))
  const elided = (count: number): string => `${rest.slice(0, count).join('').trimEnd()}${ellipsis}`
  let fits = 0
  let tooMany = rest.length + 1
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (measureText(elided(middle), textStyle) <= maxWidth + tolerance) fits = middle
    else tooMany = middle
  }
  const cut = elided(fits)
  return [
    ...lines.slice(0, maxLines - 1),
    { start: last.start, text: shownText(cut), width: measureText(cut, textStyle) },
  ]
}

/** Forgets the oldest half when it grows too large. */
function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  if (memory.size >= maxRemembered) {
    let count = maxRemembered / 2
    for (const old of memory.keys()) {
      if (count-- <= 0) break
      memory.delete(old)
    }
  }
  memory.set(key, value)
}
