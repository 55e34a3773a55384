import { describe, expect, test } from 'vitest'
import { createPhoneMachine } from '@/server/phone/machine'
import { openConversation, openPhone } from './testing/opened-phone'

describe('snapshots', () => {
  test('bring the phone back, and reset starts it afresh', () => {
    const { machine, finger } = openConversation('lin-yue')
    const taken = machine.snapshot()
    const hashes = machine.hashes()
    finger.tap('compose')
    finger.text('Something else')
    machine.restore(taken)
    expect(machine.hashes()).toEqual(hashes)
    machine.reset(7)
    expect(machine.hashes()).toEqual(openPhone(7).machine.hashes())
  })

  const state = () => structuredClone(openPhone().state())
  const text = (value: unknown) => JSON.stringify({ format: 'tapline-phone', version: 1, state: value })
  test.each<[string, () => string]>([
    ['no JSON', () => '{'],
    ['another format', () => JSON.stringify({ format: 'other', version: 1, state: state() })],
    ['another version', () => JSON.stringify({ format: 'tapline-phone', version: 2, state: state() })],
    ['a missing part', () => text({ ...state(), ui: undefined })],
    ['an unknown member', () => text({ ...state(), extra: 1 })],
    [
      'a thread with nobody',
      () => {
        const wrong = state()
        wrong.data.messages.threads.push({ id: 'nobody', contactId: 'nobody', unread: 0, messages: [] })
        return text(wrong)
      },
    ],
    [
      'a message twice',
      () => {
        const wrong = state()
        const thread = wrong.data.messages.threads[0]
        thread?.messages.push(...thread.messages)
        return text(wrong)
      },
    ],
    ['an app that is not there', () => text({ ...state(), ui: { ...state().ui, foreground: 'com.nobody' } })],
    [
      'an activity that is not there',
      () => {
        const wrong = state()
        wrong.ui.tasks = [{ packageName: 'com.tapline.messages', activities: [{ name: '.Nothing', params: {} }] }]
        return text(wrong)
      },
    ],
  ])('with %s is refused and changes nothing', (_name, snapshot) => {
    const { machine } = openPhone()
    const before = machine.state()
    expect(() => machine.restore(snapshot())).toThrow(expect.objectContaining({ code: 'bad-input' }))
    expect(machine.state()).toBe(before)
  })

  test('a seed that is not one is refused', () => {
    expect(() => createPhoneMachine({ seed: -1 })).toThrow(expect.objectContaining({ code: 'bad-input' }))
    expect(() => openPhone().machine.reset(1.5)).toThrow(expect.objectContaining({ code: 'bad-input' }))
  })
})
