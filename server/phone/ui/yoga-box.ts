import Yoga, {
  Align,
  Edge,
  FlexDirection,
  Gutter,
  Justify,
  MeasureMode,
  Overflow,
  PositionType,
  Wrap,
} from 'yoga-layout'
import type { Node as YogaNode } from 'yoga-layout'
import { edgesOf } from './box-edges'
import type { BoxStyle, Widget } from './contract'
import { measureWidget } from './measure-widget'

/** A widget's place within its parent; of a child of a scroll container, within the unscrolled content. */
export type Box = {
  widget: Widget
  x: number
  y: number
  width: number
  height: number
  children: Box[]
  /** Of a scroll container. */
  contentHeight: number
}

const justifies = {
  start: Justify.FlexStart,
  center: Justify.Center,
  end: Justify.FlexEnd,
  between: Justify.SpaceBetween,
} as const
const aligns = {
  start: Align.FlexStart,
  center: Align.Center,
  end: Align.FlexEnd,
  stretch: Align.Stretch,
} as const
const edges = [Edge.Top, Edge.Right, Edge.Bottom, Edge.Left] as const

/** Lays a tree out; its root is `width` x `height` whatever its style says. Every place is rounded to whole pixels. */
export function computeBoxes(root: Widget, width: number, height: number): Box {
  const built = build(root, 'column')
  try {
    fillWindow(built.node, width, height)
    built.node.calculateLayout(width, height)
    return read(built)
  } finally {
    built.node.freeRecursive()
  }
}

function fillWindow(node: YogaNode, width: number, height: number): void {
  node.setPositionType(PositionType.Relative)
  for (const edge of edges) {
    node.setMargin(edge, 0)
    node.setPosition(edge, undefined)
  }
  node.setWidth(width)
  node.setMinWidth(width)
  node.setMaxWidth(width)
  node.setHeight(height)
  node.setMinHeight(height)
  node.setMaxHeight(height)
}

type Built = { widget: Widget; node: YogaNode; content: YogaNode | null; children: Built[] }

function build(widget: Widget, parentDirection: 'row' | 'column'): Built {
  const node = Yoga.Node.create()
  const style = widget.style ?? {}
  setPlace(node, style)
  switch (widget.kind) {
    case 'box': {
      setFlow(node, style)
      return { widget, node, content: null, children: addChildren(node, widget) }
    }
    case 'scroll': {
      const content = Yoga.Node.create()
      setFlow(content, { ...style, justify: style.justify ?? (widget.anchor === 'bottom' ? 'end' : 'start') })
      content.setFlexGrow(1)
      content.setFlexShrink(0)
      node.setOverflow(Overflow.Scroll)
      node.insertChild(content, 0)
      return { widget, node, content, children: addChildren(content, widget) }
    }
    case 'text':
    case 'icon':
    case 'input': {
      setEdges(node, style)
      // Text in a row gives way to its neighbours before it leaves the row.
      if (style.shrink === undefined && parentDirection === 'row' && widget.kind !== 'icon') node.setFlexShrink(1)
      node.setMeasureFunc((width, widthMode) => {
        const size = measureWidget(widget, widthMode === MeasureMode.Undefined ? Infinity : Math.floor(width))
        if (widthMode === MeasureMode.Undefined) return size
        return { width: widthMode === MeasureMode.Exactly ? width : Math.min(width, size.width), height: size.height }
      })
      return { widget, node, content: null, children: [] }
    }
    default:
      return widget satisfies never
  }
}

function addChildren(node: YogaNode, widget: Extract<Widget, { kind: 'box' | 'scroll' }>): Built[] {
  const direction = widget.style?.direction ?? 'column'
  return (widget.children ?? []).map((child, index) => {
    const built = build(child, direction)
    node.insertChild(built.node, index)
    return built
  })
}

/** How a widget stands in its parent. */
function setPlace(node: YogaNode, style: BoxStyle): void {
  if (style.width !== undefined) node.setWidth(style.width)
  if (style.height !== undefined) node.setHeight(style.height)
  if (style.minWidth !== undefined) node.setMinWidth(style.minWidth)
  if (style.minHeight !== undefined) node.setMinHeight(style.minHeight)
  if (style.maxWidth !== undefined) node.setMaxWidth(style.maxWidth)
  if (style.maxHeight !== undefined) node.setMaxHeight(style.maxHeight)
  if (style.grow !== undefined) node.setFlexGrow(style.grow)
  if (style.shrink !== undefined) node.setFlexShrink(style.shrink)
  if (style.alignSelf !== undefined) node.setAlignSelf(aligns[style.alignSelf])
  if (style.border !== undefined) node.setBorder(Edge.All, style.border.width)
  if (style.margin !== undefined) {
    edgesOf(style.margin).forEach((margin, index) => node.setMargin(edges[index] ?? Edge.All, margin))
  }
  if (style.absolute !== undefined) {
    const { top, right, bottom, left } = style.absolute
    node.setPositionType(PositionType.Absolute)
    if (top !== undefined) node.setPosition(Edge.Top, top)
    if (right !== undefined) node.setPosition(Edge.Right, right)
    if (bottom !== undefined) node.setPosition(Edge.Bottom, bottom)
    if (left !== undefined) node.setPosition(Edge.Left, left)
  }
}

/** How a widget's children stand in it. */
function setFlow(node: YogaNode, style: BoxStyle): void {
  setEdges(node, style)
  if (style.direction === 'row') node.setFlexDirection(FlexDirection.Row)
  if (style.justify !== undefined) node.setJustifyContent(justifies[style.justify])
  if (style.align !== undefined) node.setAlignItems(aligns[style.align])
  if (style.wrap === true) node.setFlexWrap(Wrap.Wrap)
  if (style.gap !== undefined) node.setGap(Gutter.All, style.gap)
}

function setEdges(node: YogaNode, style: BoxStyle): void {
  if (style.padding === undefined) return
  edgesOf(style.padding).forEach((padding, index) => node.setPadding(edges[index] ?? Edge.All, padding))
}

function read(built: Built): Box {
  const { left, top, width, height } = built.node.getComputedLayout()
  const content = built.content?.getComputedLayout() ?? null
  const children = built.children.map(read)
  const border = content === null ? 0 : (built.widget.style?.border?.width ?? 0)
  if (content !== null) {
    for (const child of children) {
      child.x += content.left
      child.y += content.top
    }
  }
  return {
    widget: built.widget,
    x: left,
    y: top,
    width,
    height,
    children,
    contentHeight: content === null ? height : content.height + 2 * border,
  }
}
