import { describe, expect, test } from 'vitest'
import type { BoxStyle, LaidOutNode, Semantics, Widget } from './contract'
import { hitTest } from './hit-test'
import { layOut, layOutWindows } from './layout'

const box = (style: BoxStyle, semantics: Semantics = {}, ...children: Widget[]): Widget => ({
  kind: 'box',
  style,
  ...semantics,
  children,
})
const tap = (id: string): Semantics => ({ id, onTap: { app: 'app', type: id } })
const at = (left: number, top: number, width = 100, height = 100): BoxStyle => ({
  absolute: { left, top },
  width,
  height,
})

function lay(...children: Widget[]): LaidOutNode[] {
  return [layOut(box({}, {}, ...children), { packageName: 'app', width: 400, height: 600, scroll: {} })]
}

function idAt(nodes: LaidOutNode[], x: number, y: number): string | null {
  return hitTest(nodes, x, y).target?.widget.id ?? null
}

describe('target', () => {
  test('is the widget under the point, edges as pixels have them', () => {
    const nodes = lay(box(at(10, 10), tap('a')))
    expect(idAt(nodes, 10, 10)).toBe('a')
    expect(idAt(nodes, 109.9, 109.9)).toBe('a')
    expect(idAt(nodes, 110, 50)).toBeNull()
    expect(idAt(nodes, 9, 50)).toBeNull()
  })

  test('is found from what stands in it', () => {
    const icon: Widget = { kind: 'icon', icon: 'send', size: 32, colour: '#ffffff' }
    expect(idAt(lay(box(at(0, 0), tap('a'), box({ background: '#ffffff', height: 50 }, {}, icon))), 5, 5)).toBe('a')
  })

  test('is the innermost of two and the upper of two that overlap', () => {
    const nodes = lay(box(at(0, 0), tap('outer'), box({ height: 50 }, tap('inner'))), box(at(50, 50), tap('upper')))
    expect(idAt(nodes, 10, 10)).toBe('inner')
    expect(idAt(nodes, 10, 70)).toBe('outer')
    expect(idAt(nodes, 70, 70)).toBe('upper')
  })

  test('may be a field or something held', () => {
    const input: Widget = {
      kind: 'input',
      id: 'field',
      field: 'draft',
      text: '',
      caret: null,
      hint: '',
      textStyle: { size: 20 },
      style: at(0, 0),
    }
    expect(idAt(lay(input), 5, 5)).toBe('field')
    expect(idAt(lay(box(at(0, 0), { id: 'held', onLongPress: { app: 'app', type: 'held' } })), 5, 5)).toBe('held')
  })

  test('is hidden by a surface, not by what is transparent', () => {
    const below = box(at(0, 0), tap('below'))
    expect(idAt(lay(below, box({ ...at(0, 0), background: '#ffffff' })), 5, 5)).toBeNull()
    expect(idAt(lay(below, box(at(0, 0))), 5, 5)).toBe('below')
    expect(idAt(lay(below, box({ ...at(0, 0), background: '#ffffff00' })), 5, 5)).toBe('below')
  })

  test('is hidden by a window above, unless that lets touches pass', () => {
    const windows = (semantics: Semantics): LaidOutNode[] =>
      layOutWindows(
        [
          { root: box({}, tap('app')), packageName: 'app', bounds: { x: 0, y: 0, width: 400, height: 600 } },
          {
            root: box({ background: '#000000' }, semantics),
            packageName: 'system',
            bounds: { x: 0, y: 0, width: 400, height: 50 },
          },
        ],
        {},
      )
    expect(idAt(windows({}), 5, 5)).toBeNull()
    expect(idAt(windows({}), 5, 55)).toBe('app')
    expect(idAt(windows({ passesTouches: true }), 5, 5)).toBe('app')
  })

  test('is nothing where it is cut off', () => {
    const nodes = lay(box({ ...at(0, 0), clip: true }, {}, box(at(50, 50), tap('a'))))
    expect(idAt(nodes, 60, 60)).toBe('a')
    expect(idAt(nodes, 120, 120)).toBeNull()
  })

  test('is nothing when disabled, and nothing behind it either', () => {
    const off: Semantics = { id: 'off', enabled: false }
    expect(
      idAt(lay(box(at(0, 0), tap('row'), box(at(0, 0, 50, 50), { ...tap('off'), enabled: false }))), 5, 5),
    ).toBeNull()
    expect(idAt(lay(box(at(0, 0), tap('row'), box(at(0, 0, 50, 50), off))), 5, 5)).toBeNull()
    expect(idAt(lay(box(at(0, 0), tap('row'), box(at(0, 0, 50, 50), off))), 60, 60)).toBe('row')
  })
})

describe('scrollable', () => {
  const list = (id: string, height: number, ...children: Widget[]): Widget => ({
    kind: 'scroll',
    scrollId: id,
    style: { height },
    children,
  })
  const scrollIdAt = (nodes: LaidOutNode[], x: number, y: number): string | null => {
    const widget = hitTest(nodes, x, y).scrollable?.widget
    return widget?.kind === 'scroll' ? widget.scrollId : null
  }

  test('is the nearest container that has somewhere to scroll', () => {
    const short = list('short', 100, box({ height: 50, background: '#ffffff' }))
    const nodes = lay(list('long', 300, short, box({ height: 900 }, tap('row'))))
    expect(scrollIdAt(nodes, 5, 5)).toBe('long')
    expect(scrollIdAt(nodes, 5, 200)).toBe('long')
    expect(idAt(nodes, 5, 200)).toBe('row')
    expect(scrollIdAt(nodes, 5, 400)).toBeNull()
  })

  test('is not what stands behind something that floats above it', () => {
    const nodes = lay(list('long', 300, box({ height: 900 })), box(at(0, 0, 50, 50), tap('button')))
    expect(scrollIdAt(nodes, 5, 5)).toBeNull()
    expect(scrollIdAt(nodes, 60, 5)).toBe('long')
  })
})
