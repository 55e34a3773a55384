import { expect, test } from 'vitest'
import { centreOf, findNodes, parseUiTree } from './ui-tree'

const node = (attributes: string, children = '') =>
  `<node index="0" class="android.view.View" package="p" enabled="true" ${attributes}>${children}</node>`
const dump = (nodes: string, rotation = 0) =>
  `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="${rotation}">${nodes}</hierarchy>`

test('reads nodes with their bounds, parents first, entities decoded', () => {
  const inner = node(
    'text="Tom &amp; Jerry &#10;x &amp;#10;" resource-id="com.app:id/name" bounds="[10,20][30,60]" focused="true"',
  )
  const { rotation, nodes } = parseUiTree(dump(node('text="" clickable="true" bounds="[0,0][100,80]"', inner), 1))
  expect(rotation).toBe(1)
  expect(nodes.map(({ id }) => id)).toEqual(['', 'name'])
  expect(nodes[1]).toMatchObject({
    text: 'Tom & Jerry \nx &#10;',
    isFocused: true,
    isClickable: false,
    isEnabled: true,
  })
  expect(nodes.map(centreOf)).toEqual([
    { x: 50, y: 40 },
    { x: 20, y: 40 },
  ])
})

test('leaves out what has no area, and takes numbers as text', () => {
  const { nodes } = parseUiTree(dump(node('text="1" bounds="[5,5][5,9]"') + node('text="042" bounds="[0,0][1,1]"')))
  expect(nodes.map(({ text }) => text)).toEqual(['042'])
})

test('refuses what is not a hierarchy', () => {
  for (const text of ['', 'ERROR: null root node returned by UiTestAutomationBridge.', '<html/>']) {
    expect(() => parseUiTree(text)).toThrow(TypeError)
  }
})

test('finds by id, text or description; equal before containing, clickable before the rest', () => {
  const { nodes } = parseUiTree(
    dump(
      node('text="Send" clickable="false" bounds="[0,0][9,9]"') +
        node('text="" content-desc="send" clickable="true" bounds="[10,0][19,9]"') +
        node('text="Send later" clickable="true" bounds="[20,0][29,9]"') +
        node('text="Lin Hao" resource-id="com.app:id/title" bounds="[30,0][39,9]"'),
    ),
  )
  const found = (target: string) => findNodes(nodes, target).map(({ bounds }) => bounds.left)
  expect(found('SEND')).toEqual([10])
  expect(found('later')).toEqual([20])
  expect(found('title')).toEqual([30])
  expect(found('lin')).toEqual([30])
  expect(found('nothing')).toEqual([])
  expect(found(' ')).toEqual([])
})
