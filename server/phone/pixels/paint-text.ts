import type { SKRSContext2D } from '@napi-rs/canvas'
import { contentRect } from '@/server/phone/ui/box-edges'
import type { Colour, LaidOutNode, Rect, TextStyle, Widget } from '@/server/phone/ui/contract'
import { breakInput, caretWidth } from '@/server/phone/ui/measure-widget'
import { breakText, lineHeightOf, measureText, useTextStyle } from './text'

const textColour: Colour = '#15181c'
const hintColour: Colour = '#7d8694'
const caretColour: Colour = '#2563eb'

/** Middle of Inter's capitals above the baseline, per pixel of size: puts them in the middle of a line. */
const capitalMiddle = 0.3637

/** Draws a text widget in its bounds; the caller clips. */
export function paintText(context: SKRSContext2D, node: LaidOutNode, widget: Extract<Widget, { kind: 'text' }>): void {
  const content = contentRect(node)
  const { textStyle } = widget
  useTextStyle(context, textStyle)
  context.fillStyle = textStyle.colour ?? textColour
  const { lines } = breakText(widget.text, textStyle, content.width)
  paintLines(context, lines, textStyle, content, content.y)
}

/** Draws an input: its text or hint, and the caret, scrolled so that the caret can be seen. */
export function paintInput(
  context: SKRSContext2D,
  node: LaidOutNode,
  widget: Extract<Widget, { kind: 'input' }>,
): void {
  const content = contentRect(node)
  const { textStyle, caret } = widget
  const { lines, starts } = breakInput(widget, content.width)
  const lineHeight = lineHeightOf(textStyle)
  const shownLines = Math.min(lines.length, textStyle.maxLines ?? lines.length)
  const caretAt = caret === null ? null : placeCaret(widget, starts, caret)
  const firstLine = caretAt === null ? 0 : Math.max(0, caretAt.line - shownLines + 1)
  const shift =
    textStyle.maxLines === 1 && caretAt !== null ? Math.max(0, Math.ceil(caretAt.x) + caretWidth - content.width) : 0
  const isCentred = shownLines === 1 || widget.style?.justify === 'center'
  const top = content.y + (isCentred ? Math.floor((content.height - shownLines * lineHeight) / 2) : 0)
  useTextStyle(context, textStyle)
  context.fillStyle = widget.text === '' ? hintColour : (textStyle.colour ?? textColour)
  const shown = lines.slice(firstLine, firstLine + shownLines)
  // The hint stands clear of the caret before its first letter.
  const x = content.x - shift + (widget.text === '' ? caretWidth : 0)
  paintLines(context, shown, textStyle, { ...content, x }, top)
  if (caretAt === null) return
  const caretHeight = Math.min(lineHeight, Math.round(textStyle.size * 1.25))
  const caretX = Math.min(content.width - caretWidth, Math.round(caretAt.x) - shift)
  const y = top + (caretAt.line - firstLine) * lineHeight + Math.floor((lineHeight - caretHeight) / 2)
  context.fillStyle = caretColour
  context.fillRect(content.x + Math.max(0, caretX), y, caretWidth, caretHeight)
}

function paintLines(
  context: SKRSContext2D,
  lines: readonly string[],
  textStyle: TextStyle,
  content: Rect,
  top: number,
): void {
  const lineHeight = lineHeightOf(textStyle)
  lines.forEach((line, index) => {
    if (line === '') return
    const free = textStyle.align === undefined || textStyle.align === 'start' ? 0 : freeWidth(line, textStyle, content)
    const x = content.x + (textStyle.align === 'center' ? Math.round(free / 2) : free)
    const baseline = Math.round(top + index * lineHeight + lineHeight / 2 + textStyle.size * capitalMiddle)
    context.fillText(line, x, baseline)
  })
}

function freeWidth(line: string, textStyle: TextStyle, content: Rect): number {
  return content.width - Math.ceil(measureText(line, textStyle))
}

function placeCaret(
  widget: Extract<Widget, { kind: 'input' }>,
  starts: readonly number[],
  caret: number,
): { line: number; x: number } {
  if (widget.text === '') return { line: 0, x: 0 }
  const offset = Math.max(0, Math.min(widget.text.length, caret))
  const line = Math.max(
    0,
    starts.findLastIndex((start) => start <= offset),
  )
  return { line, x: measureText(widget.text.slice(starts[line] ?? 0, offset).replaceAll('\n', ' '), widget.textStyle) }
}
