/**
 * The widget tree an app's `view` returns. It is plain data: the same tree gives layout (yoga), pixels, hit targets and
 * the uiautomator XML. Lengths are device pixels of a 540 x 1200 screen.
 */

/** What a tap does: plain JSON an app's reducer understands. `app` routes it. */
export type UiAction = { app: string; type: string; [argument: string]: unknown }

export type Colour = `#${string}`

export type BoxStyle = {
  direction?: 'row' | 'column'
  justify?: 'start' | 'center' | 'end' | 'between'
  align?: 'start' | 'center' | 'end' | 'stretch'
  alignSelf?: 'start' | 'center' | 'end' | 'stretch'
  wrap?: boolean
  gap?: number
  /** All sides, or [vertical, horizontal], or [top, right, bottom, left]. */
  padding?: number | [number, number] | [number, number, number, number]
  margin?: number | [number, number] | [number, number, number, number]
  width?: number | `${number}%`
  height?: number | `${number}%`
  minWidth?: number
  minHeight?: number
  maxWidth?: number | `${number}%`
  maxHeight?: number
  grow?: number
  shrink?: number
  /** Taken out of the flow, at these offsets from the parent. */
  absolute?: { top?: number; right?: number; bottom?: number; left?: number }
  background?: Colour
  /** Top colour to bottom colour. */
  gradient?: [Colour, Colour]
  radius?: number | [number, number, number, number]
  border?: { width: number; colour: Colour }
  /** A hairline at one edge. */
  hairline?: { edge: 'top' | 'bottom'; colour: Colour }
  shadow?: 'low' | 'high'
  opacity?: number
  clip?: boolean
}

export type TextStyle = {
  size: number
  lineHeight?: number
  weight?: 400 | 500 | 600
  colour?: Colour
  align?: 'start' | 'center' | 'end'
  /** Lines after it are cut with an ellipsis. */
  maxLines?: number
  letterSpacing?: number
}

/** What accessibility, uiautomator and touch see of a widget. */
export type Semantics = {
  /** Stable among siblings; lets damage follow a moved widget. */
  key?: string
  /** Resource id without the package, e.g. `send`. */
  id?: string
  /** Android class, e.g. `android.widget.Button`; a sensible default per kind. */
  className?: string
  /** content-desc. */
  description?: string
  onTap?: UiAction
  onLongPress?: UiAction
  enabled?: boolean
  selected?: boolean
  checked?: boolean
  focused?: boolean
  /** A text field: its name in `ui.fields`. A tap focuses it and opens the keyboard. */
  field?: string
  /** Touches go to what is behind it and its children, as with a toast. */
  passesTouches?: boolean
}

export type Widget =
  | ({ kind: 'box'; style?: BoxStyle; children?: Widget[] } & Semantics)
  | ({ kind: 'text'; text: string; textStyle: TextStyle; style?: BoxStyle } & Semantics)
  | ({ kind: 'icon'; icon: IconName; size: number; colour: Colour; style?: BoxStyle } & Semantics)
  /** A vertical scroll container; its offset is `ui.scroll[scrollId]` (0 = top unless `anchor` is bottom). */
  | ({ kind: 'scroll'; scrollId: string; anchor?: 'top' | 'bottom'; style?: BoxStyle; children?: Widget[] } & Semantics)
  /** Editable text with caret; text and caret come from the state, so that the tree stays plain data. */
  | ({
      kind: 'input'
      text: string
      /** Caret position in UTF-16 units; null while not focused. */
      caret: number | null
      hint: string
      textStyle: TextStyle
      style?: BoxStyle
    } & Semantics)

export const iconNames = [
  'back',
  'home',
  'recents',
  'send',
  'search',
  'close',
  'plus',
  'check',
  'double-check',
  'retry',
  'warning',
  'more',
  'shift',
  'backspace',
  'enter',
  'globe',
  'battery',
  'signal',
  'wifi',
  'airplane',
  'message',
  'phone',
  'clock',
  'settings',
  'calendar',
  'notes',
  'person',
  'hide-keyboard',
] as const
export type IconName = (typeof iconNames)[number]

/** A rectangle in device pixels. */
export type Rect = { x: number; y: number; width: number; height: number }

/** A widget with its place on the screen, in drawing order (parents first). */
export type LaidOutNode = {
  widget: Widget
  /** Package the widget belongs to. */
  packageName: string
  /** On screen, after scrolling. */
  bounds: Rect
  /** What of it can be seen: bounds cut by every clipping ancestor; null when nothing can. */
  visible: Rect | null
  children: LaidOutNode[]
  /**
   * Of a scroll container: full height of its content, and the offset with its largest value as in `ui.scroll`, that is
   * measured from the anchor: with `anchor: 'bottom'` 0 shows the end and `maxOffset` the beginning.
   */
  scroll: { contentHeight: number; maxOffset: number; offset: number } | null
}
