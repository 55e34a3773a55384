import type { LaidOutNode, Rect, Widget } from './contract'

/**
 * What `uiautomator dump` writes for these windows: what can be seen of them, attributes in uiautomator's order. An empty
 * input gives its hint as text, as Android does. `rotation` in quarter turns.
 * Source: AOSP AccessibilityNodeInfoDumper.
 */
export function hierarchyXml(nodes: readonly LaidOutNode[], { rotation }: { rotation: 0 | 1 | 2 | 3 }): string {
  return `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="${rotation}">${nodesXml(nodes)}</hierarchy>`
}

function nodesXml(nodes: readonly LaidOutNode[]): string {
  return nodes.map((node, index) => nodeXml(node, index)).join('')
}

function nodeXml(node: LaidOutNode, index: number): string {
  const children = nodesXml(node.children)
  if (node.visible === null) return children
  const { widget } = node
  const isField = widget.field !== undefined
  const isClickable = widget.onTap !== undefined || isField
  const attributes: [string, string | number | boolean][] = [
    ['index', index],
    ['text', textOf(widget)],
    ['resource-id', widget.id === undefined ? '' : `${node.packageName}:id/${widget.id}`],
    ['class', widget.className ?? classNameOf(widget)],
    ['package', node.packageName],
    ['content-desc', widget.description ?? ''],
    ['checkable', widget.checked !== undefined],
    ['checked', widget.checked ?? false],
    ['clickable', isClickable],
    ['enabled', widget.enabled ?? true],
    ['focusable', isClickable],
    ['focused', widget.focused ?? false],
    ['scrollable', (node.scroll?.maxOffset ?? 0) > 0],
    ['long-clickable', widget.onLongPress !== undefined || isField],
    ['password', false],
    ['selected', widget.selected ?? false],
    ['bounds', boundsText(node.visible)],
  ]
  const written = attributes.map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`).join('')
  return children === '' ? `<node${written} />` : `<node${written}>${children}</node>`
}

function textOf(widget: Widget): string {
  if (widget.kind === 'text') return widget.text
  if (widget.kind === 'input') return widget.text === '' ? widget.hint : widget.text
  return ''
}

function classNameOf(widget: Widget): string {
  switch (widget.kind) {
    case 'box':
      return widget.onTap === undefined ? 'android.widget.LinearLayout' : 'android.view.ViewGroup'
    case 'text':
      return 'android.widget.TextView'
    case 'icon':
      return 'android.widget.ImageView'
    case 'scroll':
      return 'android.widget.ScrollView'
    case 'input':
      return 'android.widget.EditText'
    default:
      return widget satisfies never
  }
}

function boundsText({ x, y, width, height }: Rect): string {
  return `[${x},${y}][${x + width},${y + height}]`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/**
 * Makes any string safe as an attribute value. What XML 1.0 has no way to write (most control characters, lone
 * surrogates, U+FFFE and U+FFFF) becomes a full stop, as in AOSP's `stripInvalidXMLChars`.
 */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '.')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
