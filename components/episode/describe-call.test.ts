import { expect, test } from 'vitest'
import { mainArgument } from './describe-call'

test('the telling argument comes first, coordinates last', () => {
  expect(mainArgument({ tool: 'messages.send_message', arguments: { contactId: 'c-1', text: 'On my way' } })).toBe(
    'On my way',
  )
  expect(mainArgument({ tool: 'tap', arguments: { x: 502, y: 1146 } })).toBe('502, 1146')
  expect(mainArgument({ tool: 'read_screen', arguments: {} })).toBe('')
})
