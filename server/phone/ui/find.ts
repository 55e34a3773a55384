import type { LaidOutNode } from './contract'

/** First visible node, in drawing order, whose text or content description is exactly this. */
export function findByText(nodes: readonly LaidOutNode[], text: string): LaidOutNode | null {
  return find(nodes, ({ widget }) => widget.description === text || ('text' in widget && widget.text === text))
}

/** First visible node, in drawing order, with this resource id (without the package). */
export function findById(nodes: readonly LaidOutNode[], id: string): LaidOutNode | null {
  return find(nodes, ({ widget }) => widget.id === id)
}

function find(nodes: readonly LaidOutNode[], matches: (node: LaidOutNode) => boolean): LaidOutNode | null {
  for (const node of nodes) {
    if (node.visible !== null && matches(node)) return node
    const below = find(node.children, matches)
    if (below !== null) return below
  }
  return null
}
