import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'

/** A node of a uiautomator dump; bounds in device pixels. */
export type UiNode = {
  text: string
  /** Without its package: `send` of `com.example:id/send`. */
  id: string
  description: string
  className: string
  isClickable: boolean
  isEnabled: boolean
  isFocused: boolean
  bounds: { left: number; top: number; right: number; bottom: number }
}
export type UiTree = { rotation: number; nodes: UiNode[] }

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  // Decodes &#10; and the like too.
  processEntities: true,
  htmlEntities: true,
  isArray: (name) => name === 'node',
})

const attributes = z.looseObject({
  text: z.string().default(''),
  'resource-id': z.string().default(''),
  'content-desc': z.string().default(''),
  class: z.string().default(''),
  clickable: z.string().default('false'),
  enabled: z.string().default('true'),
  focused: z.string().default('false'),
  bounds: z.string().default(''),
  node: z.array(z.unknown()).default([]),
})
const hierarchy = z.looseObject({
  hierarchy: z.looseObject({ rotation: z.string().default('0'), node: z.array(z.unknown()).default([]) }),
})

/** Nodes of a uiautomator dump with an area, parents first. Throws TypeError when the text is not such a dump. */
export function parseUiTree(xml: string): UiTree {
  let parsed: z.infer<typeof hierarchy>
  try {
    parsed = hierarchy.parse(parser.parse(xml))
  } catch (cause) {
    throw new TypeError('The screen tree is not a uiautomator hierarchy', { cause })
  }
  const nodes: UiNode[] = []
  const waiting = parsed.hierarchy.node.toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const node = attributes.safeParse(next).data
    if (!node) continue
    waiting.push(...node.node.toReversed())
    const bounds = parseBounds(node.bounds)
    if (!bounds) continue
    nodes.push({
      text: node.text,
      id: node['resource-id'].replace(/^.*:id\//, ''),
      description: node['content-desc'],
      className: node.class,
      isClickable: node.clickable === 'true',
      isEnabled: node.enabled === 'true',
      isFocused: node.focused === 'true',
      bounds,
    })
  }
  return { rotation: Number(parsed.hierarchy.rotation) || 0, nodes }
}

function parseBounds(text: string): UiNode['bounds'] | null {
  const match = /^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$/.exec(text)
  if (!match) return null
  const [left = 0, top = 0, right = 0, bottom = 0] = match.slice(1).map(Number)
  return right > left && bottom > top ? { left, top, right, bottom } : null
}

/**
 * The nodes a target names: those whose id, text or description equals it, else those that contain it, letter case
 * aside. Of a node within another that matches too, only the outer one where it can be clicked.
 */
export function findNodes(nodes: readonly UiNode[], target: string): UiNode[] {
  const wanted = target.trim().toLowerCase()
  if (wanted === '') return []
  const labels = (node: UiNode) => [node.id, node.text, node.description].map((label) => label.trim().toLowerCase())
  const equal = nodes.filter((node) => labels(node).includes(wanted))
  const found = equal.length > 0 ? equal : nodes.filter((node) => labels(node).some((label) => label.includes(wanted)))
  const clickable = found.filter((node) => node.isClickable)
  return clickable.length > 0 ? clickable : found
}

/** The middle of a node, in device pixels. */
export function centreOf({ bounds }: UiNode): { x: number; y: number } {
  return { x: Math.floor((bounds.left + bounds.right) / 2), y: Math.floor((bounds.top + bounds.bottom) / 2) }
}
