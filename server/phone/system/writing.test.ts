import { describe, expect, test } from 'vitest'
import type { PhoneEvent } from '@/server/phone/contract'
import { createPhoneMachine } from '@/server/phone/machine'
import { openConversation } from '@/server/phone/state/testing/opened-phone'

describe('writing', () => {
  test('by tapping the centres of the keys', () => {
    const { finger, state } = openConversation('lin-yue')
    finger.tap('compose')
    finger.tap('key_shift')
    for (const key of ['h', 'i', 'space', 'y', 'o', 'comma', 'page', '1', 'exclamation', 'page', 'x', 'backspace']) {
      finger.tap(`key_${key}`)
    }
    expect(state().data.messages.drafts['lin-yue']).toBe('Hi yo,1!')
    finger.tap('key_hide')
    expect(finger.find('key_q')).toBeNull()
  })

  test('back closes the keyboard before it leaves', () => {
    const { finger, machine } = openConversation('lin-yue')
    finger.tap('compose')
    finger.tap('nav_back')
    expect(finger.find('key_q')).toBeNull()
    expect(machine.foreground().activity).toBe('.ConversationActivity')
    finger.tap('nav_back')
    expect(machine.foreground().activity).toBe('.MainActivity')
  })

  test('with hardware keys, shift, arrows and delete', () => {
    const { finger, state } = openConversation('lin-yue')
    finger.key(36)
    expect(state().data.messages.drafts).toEqual({})
    finger.tap('compose')
    finger.key(36, 1)
    finger.key(33)
    finger.key(8, 1)
    finger.key(62)
    finger.key(76)
    finger.key(21)
    finger.key(67)
    expect(state().data.messages.drafts['lin-yue']).toBe('He!/')
  })

  test('deletes a whole emoji or a Chinese character, and never half', () => {
    const { finger, state } = openConversation('lin-yue')
    finger.tap('compose')
    finger.text('好👩‍👩‍👧')
    finger.key(67)
    expect(state().data.messages.drafts['lin-yue']).toBe('好')
    finger.text('\uD83D \u0007ok')
    expect(state().data.messages.drafts['lin-yue']).toBe('好 ok')
  })

  test('goes nowhere without a focus', () => {
    const { finger, machine } = openConversation('lin-yue')
    const before = machine.state()
    finger.text('Hello')
    expect(machine.state()).toBe(before)
  })

  test('a held backspace keeps deleting', () => {
    const { finger, state } = openConversation('lin-yue')
    finger.tap('compose')
    finger.text('Hello there')
    const { x, y } = finger.centreOf('key_backspace')
    finger.pointer('down', x, y)
    finger.wait(400)
    expect(state().data.messages.drafts['lin-yue']).toBe('Hello there')
    finger.wait(300)
    expect(state().data.messages.drafts['lin-yue']).toBe('Hello ')
    finger.pointer('up', x, y)
    expect(state().data.messages.drafts['lin-yue']).toBe('Hello ')
  })

  test('pastes the clipboard as a text event', () => {
    const events: PhoneEvent[] = []
    const machine = createPhoneMachine({ seed: 7, onEvent: (event) => events.push(event) })
    machine.setClipboard('从剪贴板')
    machine.dispatch({ type: 'key', action: 'down', keycode: 279, metaState: 0 })
    machine.dispatch({ type: 'key', action: 'down', keycode: 50, metaState: 0x1000 })
    expect(events).toEqual([
      { type: 'text', text: '从剪贴板' },
      { type: 'text', text: '从剪贴板' },
    ])
  })
})
