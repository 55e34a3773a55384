import { createCanvas } from '@napi-rs/canvas'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { iconNames } from '@/server/phone/ui/contract'
import type { BoxStyle, Colour, LaidOutNode, Rect, Widget } from '@/server/phone/ui/contract'
import { layOut, layOutWindows } from '@/server/phone/ui/layout'
import { intersect } from '@/server/phone/ui/rect'
import { paint } from './painter'
import { layOutSampleChat, sampleChat } from './testing/sample-chat'
import type { SampleChat } from './testing/sample-chat'
import { createPhoneScreen } from './screen'

const width = 180
const height = 220
const screenRect: Rect = { x: 0, y: 0, width, height }

const paper = createCanvas(width, height).getContext('2d')

function wholePaint(nodes: readonly LaidOutNode[]): Uint8ClampedArray {
  paint(paper, nodes, screenRect)
  return rgbaOf(paper.getImageData(0, 0, width, height).data)
}

/** The bytes of pictures are only freed between turns of the event loop. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function rgbaOf(data: ArrayLike<number> & { buffer: ArrayBufferLike }): Uint8ClampedArray {
  return new Uint8ClampedArray(data.buffer as ArrayBuffer)
}

/** Number of bytes that differ and the first pixel where they do. */
function difference(one: Uint8ClampedArray, other: Uint8ClampedArray, rowWidth: number): string {
  if (Buffer.from(one.buffer).equals(Buffer.from(other.buffer))) return 'none'
  const at = one.findIndex((byte, index) => byte !== other[index])
  const pixel = Math.floor(at / 4)
  const count = one.reduce((sum, byte, index) => sum + (byte === other[index] ? 0 : 1), 0)
  return `${count} bytes, first at (${pixel % rowWidth}, ${Math.floor(pixel / rowWidth)})`
}

const colour: fc.Arbitrary<Colour> = fc.constantFrom(
  '#ffffff',
  '#2563eb',
  '#eef0f4',
  '#15181c80',
  '#c22b2b40',
  '#d9e6ff',
)
const corner = fc.constantFrom(0, 3, 8, 14, 28)
const sometimes = <Value>(percent: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(undefined) }, { weight: percent, arbitrary: value })
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => sometimes(40, value)

const style: fc.Arbitrary<BoxStyle> = fc
  .record({
    direction: optional(fc.constantFrom('row', 'column')),
    justify: optional(fc.constantFrom('start', 'center', 'end', 'between')),
    align: optional(fc.constantFrom('start', 'center', 'end', 'stretch')),
    gap: optional(fc.nat(9)),
    padding: optional(fc.oneof(fc.nat(9), fc.tuple(fc.nat(9), fc.nat(9)))),
    margin: optional(fc.nat(6)),
    width: optional(fc.oneof(fc.integer({ min: 1, max: 120 }), fc.constantFrom('33%' as const, '80%' as const))),
    height: optional(fc.integer({ min: 1, max: 90 })),
    grow: optional(fc.constant(1)),
    absolute: sometimes(
      20,
      fc.record({ top: fc.integer({ min: -20, max: 160 }), left: fc.integer({ min: -20, max: 120 }) }),
    ),
    background: optional(colour),
    gradient: sometimes(20, fc.tuple(colour, colour)),
    radius: optional(fc.oneof(corner, fc.tuple(corner, corner, corner, corner))),
    border: optional(fc.record({ width: fc.integer({ min: 1, max: 4 }), colour })),
    hairline: optional(fc.record({ edge: fc.constantFrom('top' as const, 'bottom' as const), colour })),
    shadow: sometimes(20, fc.constantFrom('low' as const, 'high' as const)),
    opacity: sometimes(20, fc.constantFrom(0, 0.3, 0.75)),
    clip: optional(fc.boolean()),
  })
  .map((value) => Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as BoxStyle)

const text = fc.constantFrom(
  'Hello',
  'Still good? 🎉',
  '晚饭改到周五，可以吗？',
  'AÉgjpqy Łódź',
  '',
  'many small words in a row',
)
const textStyle = fc.record({
  size: fc.constantFrom(9, 14, 20, 33),
  weight: fc.constantFrom(400 as const, 500 as const, 600 as const),
  align: fc.constantFrom('start' as const, 'center' as const, 'end' as const),
  lineHeight: fc.constantFrom(12, 20, 40),
  colour,
})
const key = fc.constantFrom('a', 'b', 'c', 'd', '0', '1')

const { tree } = fc.letrec<{ tree: Widget; leaf: Widget; branch: Widget }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text, textStyle, style, key }),
    fc.record({
      kind: fc.constant('icon' as const),
      icon: fc.constantFrom(...iconNames),
      size: fc.integer({ min: 8, max: 40 }),
      colour,
      style,
    }),
    fc.record({
      kind: fc.constant('input' as const),
      text,
      hint: text,
      caret: fc.option(fc.nat(9)),
      textStyle,
      style,
      key,
    }),
  ),
  branch: fc.oneof(
    fc.record({ kind: fc.constant('box' as const), style, children: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('box' as const), style, key, children: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({
      kind: fc.constant('scroll' as const),
      scrollId: fc.constant('list'),
      anchor: fc.constantFrom('top' as const, 'bottom' as const),
      style,
      children: fc.array(tie('tree'), { maxLength: 5 }),
    }),
  ),
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('branch')),
}))
const window = fc.record({
  root: fc.record({
    kind: fc.constant('box' as const),
    style,
    children: fc.array(tree, { minLength: 1, maxLength: 6 }),
  }),
  packageName: fc.constantFrom('app', 'system'),
  bounds: fc.record({
    x: fc.integer({ min: -10, max: 60 }),
    y: fc.integer({ min: -10, max: 60 }),
    width: fc.integer({ min: 20, max: width }),
    height: fc.integer({ min: 20, max: height }),
  }),
})
type Window = { root: Widget; packageName: string; bounds: Rect }
type Change = { kind: string; at: number; with: Widget; offset: number }
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'swap', 'scroll', 'append', 'restyle', 'drop-window', 'raise-window'),
  at: fc.nat(40),
  with: tree,
  offset: fc.nat(200),
})

type Branch = Extract<Widget, { kind: 'box' | 'scroll' }>

/** Applies `edit` to the `at`-th widget that may have children, in drawing order. */
function editBranch(root: Widget, at: number, edit: (branch: Branch) => Branch): Widget {
  let left = at
  const visit = (widget: Widget): Widget => {
    if (widget.kind !== 'box' && widget.kind !== 'scroll') return widget
    if (left-- === 0) return edit(widget)
    return { ...widget, children: (widget.children ?? []).map(visit) }
  }
  return visit(root)
}

function mutate(
  windows: Window[],
  scroll: Record<string, number>,
  { kind, at, with: added, offset }: Change,
): Window[] {
  const index = offset % Math.max(1, windows.length)
  const editOne = (edit: (branch: Branch) => Branch): Window[] =>
    windows.map((each, place) => (place === index ? { ...each, root: editBranch(each.root, at % 6, edit) } : each))
  const edit = (editChildren: (children: Widget[]) => Widget[]): Window[] =>
    editOne((branch) => ({ ...branch, children: editChildren(branch.children ?? []) }))
  const place = (children: Widget[]): number => offset % Math.max(1, children.length)
  switch (kind) {
    case 'replace':
      return edit((children) => children.map((child, other) => (other === place(children) ? added : child)))
    case 'remove':
      return edit((children) => children.filter((_, other) => other !== place(children)))
    case 'swap':
      return edit((children) => [...children.slice(1), ...children.slice(0, 1)])
    case 'append':
      return edit((children) => [...children, added])
    case 'restyle': {
      const { opacity = 0.5, radius = 20, clip = true } = added.style ?? {}
      return editOne((branch) => ({ ...branch, style: { ...branch.style, opacity, radius, clip } }))
    }
    case 'scroll':
      scroll.list = offset
      return windows
    case 'drop-window':
      return windows.length > 1 ? windows.filter((_, other) => other !== index) : windows
    default:
      return [...windows.slice(1), ...windows.slice(0, 1)]
  }
}

describe('createPhoneScreen', () => {
  test('shows after every change exactly what a whole repaint shows, and says where it changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(window, { minLength: 1, maxLength: 3 }),
        fc.array(change, { maxLength: 6 }),
        async (start, changes) => {
          await nextTurn()
          let windows: Window[] = start
          const scroll: Record<string, number> = {}
          let nodes = layOutWindows(windows, scroll)
          const screen = createPhoneScreen({ width, height, nodes: () => nodes })
          expect(screen.render()).toEqual([screenRect])
          let before = screen.rgba(screenRect)
          expect(difference(before, wholePaint(nodes), width)).toBe('none')
          for (const each of changes) {
            windows = mutate(windows, scroll, each)
            nodes = layOutWindows(windows, scroll)
            const damage = screen.render()
            const after = screen.rgba(screenRect)
            expect(difference(after, wholePaint(nodes), width)).toBe('none')
            expectUnchangedOutside(before, after, damage)
            before = after
          }
        },
      ),
      { numRuns: 150 },
    )
  }, 60_000)

  test('gives the same pixels through any clip', async () => {
    const nodes = layOutSampleChat(sampleChat)
    const screen = createPhoneScreen({ width: 540, height: 1200, nodes: () => nodes })
    screen.render()
    const context = createCanvas(540, 1200).getContext('2d')
    const area = fc.record({
      x: fc.nat(539),
      y: fc.nat(1199),
      width: fc.integer({ min: 1, max: 200 }),
      height: fc.integer({ min: 1, max: 200 }),
    })
    await fc.assert(
      fc.asyncProperty(area, async (drawn) => {
        await nextTurn()
        const rect = intersect(drawn, { x: 0, y: 0, width: 540, height: 1200 })
        if (rect === null) return
        paint(context, nodes, rect)
        const part = rgbaOf(context.getImageData(rect.x, rect.y, rect.width, rect.height).data)
        expect(difference(part, screen.rgba(rect), rect.width)).toBe('none')
      }),
      { numRuns: 300 },
    )
  }, 60_000)

  test('repaints little for a little change and nothing for none', () => {
    let chat: SampleChat = sampleChat
    const screen = createPhoneScreen({ width: 540, height: 1200, nodes: () => layOutSampleChat(chat) })
    expect(screen.render()).toEqual([{ x: 0, y: 0, width: 540, height: 1200 }])
    expect(screen.render()).toEqual([])
    chat = { ...chat, isPressed: true }
    expect(screen.render()).toEqual([{ x: 460, y: 766, width: 64, height: 64 }])
    chat = { ...chat, draft: 'Dinner' }
    expect(screen.render()).toEqual([{ x: 20, y: 766, width: 428, height: 64 }])
  })

  test('returns rectangles of whole pixels on the screen that do not overlap', () => {
    let chat: SampleChat = sampleChat
    const screen = createPhoneScreen({ width: 540, height: 1200, nodes: () => layOutSampleChat(chat) })
    screen.render()
    chat = { ...chat, scroll: 57, draft: '', isPressed: true }
    const damage = screen.render()
    expect(damage.length).toBeGreaterThan(0)
    for (const [index, rect] of damage.entries()) {
      expect(Object.values(rect).every(Number.isInteger)).toBe(true)
      expect(intersect(rect, { x: 0, y: 0, width: 540, height: 1200 })).toEqual(rect)
      for (const other of damage.slice(index + 1)) expect(intersect(rect, other)).toBeNull()
    }
  })

  test('hands over a PNG and packed rows of bytes', () => {
    const nodes = [
      layOut({ kind: 'box', style: { background: '#ff0000' } }, { packageName: 'a', width: 8, height: 8, scroll: {} }),
    ]
    const screen = createPhoneScreen({ width: 8, height: 8, nodes: () => nodes })
    screen.render()
    expect([...screen.rgba({ x: 2, y: 3, width: 2, height: 1 })]).toEqual([255, 0, 0, 255, 255, 0, 0, 255])
    expect(screen.png().subarray(1, 4).toString()).toBe('PNG')
  })
})

function expectUnchangedOutside(before: Uint8ClampedArray, after: Uint8ClampedArray, damage: readonly Rect[]): void {
  const left = before.slice()
  for (const rect of damage) {
    for (let y = rect.y; y < rect.y + rect.height; y++) {
      const row = (y * width + rect.x) * 4
      left.set(after.subarray(row, row + rect.width * 4), row)
    }
  }
  expect(difference(left, after, width)).toBe('none')
}
