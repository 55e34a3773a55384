import { breakText } from '@/server/phone/pixels/text'
import type { BrokenText } from '@/server/phone/pixels/text'
import type { Widget } from './contract'

/** Width of the caret; text of an input keeps this much free at its right. */
export const caretWidth = 3

type Input = Extract<Widget, { kind: 'input' }>

/** Size of a widget without children in the width it may take (Infinity for any). */
export function measureWidget(
  widget: Extract<Widget, { kind: 'text' | 'icon' | 'input' }>,
  maxWidth: number,
): { width: number; height: number } {
  switch (widget.kind) {
    case 'icon':
      return { width: widget.size, height: widget.size }
    case 'text':
      return breakText(widget.text, widget.textStyle, maxWidth)
    case 'input': {
      const { lines, width, height } = breakInput(widget, maxWidth)
      const shown = Math.min(lines.length, widget.textStyle.maxLines ?? lines.length)
      return { width: width + caretWidth, height: (height / lines.length) * shown }
    }
    default:
      return widget satisfies never
  }
}

/** Lines of an input's text, or of its hint while it is empty. With `maxLines` 1 there is one, however long. */
export function breakInput(widget: Input, maxWidth: number): BrokenText {
  const { maxLines, ...textStyle } = widget.textStyle
  const text = widget.text === '' ? widget.hint : widget.text
  if (maxLines === 1) return breakText(text.replaceAll('\n', ' '), textStyle, Number.POSITIVE_INFINITY)
  return breakText(text, textStyle, Math.max(0, maxWidth - caretWidth))
}
