import { describe, expect, test } from 'vitest'
import type { BoxStyle, LaidOutNode, Rect, Widget } from './contract'
import { findById, findByText } from './find'
import { layOut, layOutWindows } from './layout'

const box = (style: BoxStyle, ...children: Widget[]): Widget => ({ kind: 'box', style, children })
const text = (value: string, style: BoxStyle = {}): Widget => ({
  kind: 'text',
  text: value,
  textStyle: { size: 24, lineHeight: 33 },
  style,
})

function lay(root: Widget, scroll: Record<string, number> = {}): LaidOutNode {
  return layOut(root, { packageName: 'app', width: 400, height: 600, scroll })
}

function boundsOfChildren(node: LaidOutNode): number[][] {
  return node.children.map(({ bounds: { x, y, width, height } }) => [x, y, width, height])
}

describe('flow', () => {
  test('stacks columns and stretches across', () => {
    const root = lay(box({ padding: [10, 20], gap: 5 }, box({ height: 50 }), box({ height: 60, width: 100 })))
    expect(boundsOfChildren(root)).toEqual([
      [20, 10, 360, 50],
      [20, 65, 100, 60],
    ])
  })

  test('lines up rows, justified and aligned', () => {
    const row = box(
      { direction: 'row', justify: 'between', align: 'center' },
      box({ width: 50, height: 40 }),
      box({ width: 60, height: 80 }),
    )
    expect(boundsOfChildren(lay(row))).toEqual([
      [0, 280, 50, 40],
      [340, 260, 60, 80],
    ])
  })

  test('lets grow take what is left', () => {
    const row = box({ direction: 'row' }, box({ width: 100 }), box({ grow: 1 }), box({ grow: 2 }))
    expect(boundsOfChildren(lay(row)).map(([x, , width]) => [x, width])).toEqual([
      [0, 100],
      [100, 100],
      [200, 200],
    ])
  })

  test('takes percents of the parent', () => {
    const root = lay(box({}, box({ width: '50%', height: '25%' }, box({ width: '50%', height: '100%' }))))
    expect(boundsOfChildren(root)).toEqual([[0, 0, 200, 150]])
    expect(boundsOfChildren(root.children[0] as LaidOutNode)).toEqual([[0, 0, 100, 150]])
  })

  test('takes absolute widgets out of the flow', () => {
    const root = lay(box({}, box({ absolute: { right: 10, bottom: 20 }, width: 30, height: 40 }), box({ height: 50 })))
    expect(boundsOfChildren(root)).toEqual([
      [360, 540, 30, 40],
      [0, 0, 400, 50],
    ])
  })

  test('wraps rows that are full', () => {
    const cell = box({ width: 150, height: 20 })
    expect(
      boundsOfChildren(lay(box({ direction: 'row', wrap: true, gap: 10, align: 'start' }, cell, cell, cell)))[2]?.[0],
    ).toBe(0)
  })

  test('the root fills its window whatever its style says', () => {
    expect(lay(box({ width: 10, height: 10, margin: 5 })).bounds).toEqual({ x: 0, y: 0, width: 400, height: 600 })
  })
})

describe('text', () => {
  test('is as wide as its words and as high as its lines', () => {
    const long = text('Dinner moved to Friday at eight o’clock, same place as before')
    const [one, many] = lay(box({ align: 'start' }, text('Hi'), long)).children
    expect(one?.bounds.height).toBe(33)
    expect(one?.bounds.width).toBeLessThan(40)
    expect(many?.bounds.height).toBe(66)
    expect(many?.bounds.width).toBeLessThanOrEqual(400)
  })

  test('in a row gives way to its neighbours', () => {
    const row = box({ direction: 'row' }, box({ width: 200 }), text('Dinner moved to Friday at eight'))
    expect(lay(row).children[1]?.bounds).toMatchObject({ x: 200, width: 200 })
  })

  test('wraps Chinese and emoji to the width of a bubble', () => {
    const bubble = box({ maxWidth: '50%', padding: 10 }, text('晚饭改到周五晚上八点🎉🎉🎉'))
    const node = lay(box({ align: 'end' }, bubble)).children[0] as LaidOutNode
    expect(node.bounds.x + node.bounds.width).toBe(400)
    expect(node.bounds.width).toBeLessThanOrEqual(200)
    expect(node.children[0]?.bounds.height).toBe(66)
  })

  test('an input has the height of its lines up to maxLines, and that of its hint while empty', () => {
    const input = (value: string): Widget => ({
      kind: 'input',
      text: value,
      caret: null,
      hint: 'Text message',
      textStyle: { size: 24, lineHeight: 33, maxLines: 3 },
    })
    const heights = lay(box({}, input(''), input('a\nb'), input('a\nb\nc\nd\ne'))).children.map(
      ({ bounds }) => bounds.height,
    )
    expect(heights).toEqual([33, 66, 99])
  })
})

describe('scroll', () => {
  const rows = (count: number): Widget[] =>
    Array.from({ length: count }, (_, index) => ({ ...box({ height: 100 }), id: `row-${index}` }))
  const list = (anchor: 'top' | 'bottom', count: number): Widget =>
    box(
      { padding: [50, 0] },
      {
        kind: 'scroll',
        scrollId: 'list',
        anchor,
        style: { grow: 1, shrink: 1, padding: [10, 0] },
        children: rows(count),
      },
    )
  const yOf = (root: LaidOutNode, row: number): number | undefined => findById([root], `row-${row}`)?.bounds.y

  test('moves its content up by the offset and cuts what is outside', () => {
    const root = lay(list('top', 10), { list: 130 })
    const scroll = root.children[0] as LaidOutNode
    expect(scroll.bounds).toEqual({ x: 0, y: 50, width: 400, height: 500 })
    expect(scroll.scroll).toEqual({ contentHeight: 1020, maxOffset: 520, offset: 130 })
    expect(scroll.children.map(({ visible }) => visible?.height ?? 0)).toEqual([0, 80, 100, 100, 100, 100, 20, 0, 0, 0])
    expect(scroll.children[1]?.bounds.y).toBe(30)
  })

  test('keeps the offset within its range', () => {
    expect(lay(list('top', 10), { list: 9999 }).children[0]?.scroll?.offset).toBe(520)
    expect(lay(list('top', 10), { list: -5 }).children[0]?.scroll?.offset).toBe(0)
    expect(lay(list('top', 10), { list: Number.NaN }).children[0]?.scroll?.offset).toBe(0)
    expect(lay(list('top', 2), { list: 40 }).children[0]?.scroll).toMatchObject({ maxOffset: 0, offset: 0 })
  })

  test('anchored at the bottom shows the end first and scrolls towards the beginning', () => {
    expect(yOf(lay(list('bottom', 10)), 9)).toBe(440)
    expect(yOf(lay(list('bottom', 10), { list: 80 }), 9)).toBe(520)
    expect(yOf(lay(list('bottom', 10), { list: 120 }), 9)).toBeUndefined()
    expect(yOf(lay(list('bottom', 10), { list: 520 }), 0)).toBe(60)
  })

  test('anchored at the bottom stands a short list at the bottom', () => {
    expect(yOf(lay(list('bottom', 2)), 1)).toBe(440)
    expect(yOf(lay(list('top', 2)), 0)).toBe(60)
  })
})

describe('windows', () => {
  const screen = (first: Rect): LaidOutNode[] =>
    layOutWindows(
      [
        {
          root: box({}, { ...box({ absolute: { top: -10 }, width: 20, height: 30 }), id: 'a' }),
          packageName: 'app',
          bounds: first,
        },
        { root: text('bar'), packageName: 'system', bounds: { x: 0, y: 0, width: 400, height: 40 } },
      ],
      {},
    )

  test('stand in their bounds and cut what leaves them', () => {
    const nodes = screen({ x: 5, y: 40, width: 300, height: 100 })
    expect(nodes.map(({ bounds, packageName }) => [packageName, bounds.y, bounds.height])).toEqual([
      ['app', 40, 100],
      ['system', 0, 40],
    ])
    expect(findById(nodes, 'a')).toMatchObject({ bounds: { y: 30 }, visible: { x: 5, y: 40, width: 20, height: 20 } })
    expect(findByText(nodes, 'bar')?.packageName).toBe('system')
  })

  test('that stay the same give the very same nodes; those that do not, new ones', () => {
    const one = screen({ x: 5, y: 40, width: 300, height: 100 })
    const other = screen({ x: 5, y: 41, width: 300, height: 100 })
    expect(other[1]).toBe(one[1])
    expect(other[0]).not.toBe(one[0])
    expect(other[0]?.bounds.y).toBe(41)
  })
})

test('what is fully transparent is not visible', () => {
  const root = lay(box({}, box({ opacity: 0, height: 50 }, text('hidden'))))
  expect(findByText([root], 'hidden')).toBeNull()
  expect(findByText([lay(box({}, text('shown')))], 'shown')).not.toBeNull()
})
