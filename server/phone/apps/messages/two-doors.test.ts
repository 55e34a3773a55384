import { describe, expect, test } from 'vitest'
import { createPhoneMachine } from '@/server/phone/machine'
import type { PhoneState } from '@/server/phone/state/phone-state'
import { lastMessage, openConversation, openPhone } from '@/server/phone/state/testing/opened-phone'

function failNextSend(state: PhoneState): string {
  const fault = {
    tool: 'messages.send_message',
    code: 'not-delivered',
    message: 'No answer from the network.',
    remaining: 1,
  }
  const data = { ...state.data, system: { ...state.data.system, faults: [fault] } }
  return JSON.stringify({ format: 'tapline-phone', version: 1, state: { ...state, data } })
}

describe('two doors', () => {
  test('sending by touch and by tool gives exactly the same data', () => {
    const touched = openConversation('lin-yue')
    touched.finger.tap('compose')
    touched.finger.text('Dinner moved to Friday 20:00 好吗?')
    touched.finger.tap('send')
    const called = openPhone()
    called.machine.callTool('messages.send_message', {
      contactId: 'lin-yue',
      text: 'Dinner moved to Friday 20:00 好吗?',
    })
    expect(touched.machine.hashes().dataHash).toBe(called.machine.hashes().dataHash)
    expect(touched.machine.hashes().stateHash).not.toBe(called.machine.hashes().stateHash)
    touched.finger.wait(1000)
    called.finger.wait(1000)
    expect(lastMessage(touched.state(), 'lin-yue')?.status).toBe('sent')
    expect(touched.machine.hashes().dataHash).toBe(called.machine.hashes().dataHash)
  })

  test('a failed message is sent again by touch or by tool alike', () => {
    const touched = openConversation('lin-yue')
    touched.machine.restore(failNextSend(touched.state()))
    touched.finger.tap('compose')
    touched.finger.text('Hello')
    touched.finger.key(66)
    const failed = lastMessage(touched.state(), 'lin-yue')
    expect(failed?.status).toBe('failed')
    expect(touched.machine.hierarchyXml()).toContain('Not sent. Tap to retry')
    expect(touched.machine.hierarchyXml()).toContain('android.widget.Toast')
    touched.finger.wait(2500)
    expect(touched.machine.hierarchyXml()).not.toContain('android.widget.Toast')
    expect(touched.machine.isAnimating()).toBe(false)
    const called = createPhoneMachine({ seed: 7, snapshot: touched.machine.snapshot() })
    touched.finger.tap(`retry_${failed?.id}`)
    expect(called.callTool('messages.retry_message', { messageId: failed?.id }).ok).toBe(true)
    expect(lastMessage(touched.state(), 'lin-yue')?.status).toBe('sending')
    expect(called.hashes().dataHash).toBe(touched.machine.hashes().dataHash)
  })

  test('a draft typed and a draft kept are the same, and both are there when the conversation opens again', () => {
    const touched = openConversation('zhou-min')
    touched.finger.tap('compose')
    touched.finger.text('好的')
    touched.finger.tap('back')
    const called = openPhone()
    called.machine.callTool('messages.save_draft', { contactId: 'zhou-min', text: '好的' })
    expect(called.machine.hashes().dataHash).toBe(touched.machine.hashes().dataHash)
    touched.finger.tap('thread_zhou-min')
    touched.finger.tap('send')
    expect(lastMessage(touched.state(), 'zhou-min')?.text).toBe('好的')
  })

  test('a new message goes to the person picked', () => {
    const { machine, finger, state } = openPhone()
    machine.dispatch({ type: 'start-app', component: 'com.tapline.messages' })
    finger.tap('new_message')
    finger.text('lin h')
    expect(finger.find('contact_lin-yue')).toBeNull()
    finger.tap('contact_lin-hao')
    finger.text('See you at stand-up')
    finger.tap('send')
    expect(lastMessage(state(), 'lin-hao')?.text).toBe('See you at stand-up')
    finger.tap('back')
    expect(machine.foreground().activity).toBe('.MainActivity')
  })

  test('an empty composer sends nothing', () => {
    const { finger, machine } = openConversation('mum')
    const { dataHash } = machine.hashes()
    finger.tap('send')
    expect(machine.hashes().dataHash).toBe(dataHash)
  })

  test('the search shows who and what matches', () => {
    const { machine, finger } = openPhone()
    machine.dispatch({ type: 'start-app', component: 'com.tapline.messages' })
    finger.tap('search')
    finger.text('密码')
    expect(finger.find('thread_doctor-wang')).not.toBeNull()
    expect(finger.find('thread_mum')).toBeNull()
    finger.tap('clear_search')
    expect(finger.find('thread_mum')).not.toBeNull()
  })
})
