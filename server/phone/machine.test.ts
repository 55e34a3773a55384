import type { PhoneMachine } from './contract'
import { phoneState } from './state/phone-state'
import { describe, expect, test } from 'vitest'
import { openConversation, openPhone, lastMessage } from '@/server/phone/state/testing/opened-phone'

describe('a phone', () => {
  test('opens Messages from the home screen and goes back to it', () => {
    const { machine, finger } = openPhone()
    expect(machine.foreground().packageName).toBe('com.tapline.launcher')
    finger.tap('app_messages')
    expect(machine.foreground()).toEqual({ packageName: 'com.tapline.messages', activity: '.MainActivity' })
    finger.tap('thread_lin-yue')
    expect(machine.foreground().activity).toBe('.ConversationActivity')
    finger.tap('nav_back')
    expect(machine.foreground().activity).toBe('.MainActivity')
    finger.key(4)
    expect(machine.foreground().packageName).toBe('com.tapline.launcher')
    finger.key(4)
    expect(machine.foreground().packageName).toBe('com.tapline.launcher')
  })

  test('home leaves an app where it was; a swipe from the bottom edge is home', () => {
    const { machine, finger } = openConversation('lin-yue')
    finger.drag(100, 1190, 800)
    expect(machine.foreground().packageName).toBe('com.tapline.launcher')
    finger.tap('app_messages')
    expect(machine.foreground().activity).toBe('.ConversationActivity')
    finger.tap('nav_home')
    expect(machine.foreground().packageName).toBe('com.tapline.launcher')
    machine.dispatch({ type: 'start-app', component: 'com.tapline.messages/.MainActivity' })
    expect(machine.foreground().activity).toBe('.ConversationActivity')
  })

  test('starts only launcher activities of apps it has', () => {
    const { machine } = openPhone()
    const before = machine.state()
    for (const component of [
      'com.nobody',
      'com.tapline.messages/.ConversationActivity',
      '',
      '/',
      'com.tapline.messages/',
    ]) {
      machine.dispatch({ type: 'start-app', component })
    }
    expect(machine.state()).toBe(before)
    machine.dispatch({ type: 'start-app', component: 'com.tapline.messages/com.tapline.messages.MainActivity' })
    expect(machine.foreground().packageName).toBe('com.tapline.messages')
  })

  test('a finger that moves more than 12 pixels does not tap', () => {
    const { machine, finger } = openPhone()
    const { x, y } = finger.centreOf('app_messages')
    finger.pointer('down', x, y)
    finger.pointer('move', x + 13, y)
    finger.pointer('up', x, y)
    expect(machine.foreground().packageName).toBe('com.tapline.launcher')
    finger.pointer('down', x, y)
    finger.pointer('move', x + 8, y + 8)
    finger.pointer('up', x + 8, y + 8)
    expect(machine.foreground().packageName).toBe('com.tapline.messages')
  })

  test('drags and wheels scroll, and stop at the ends', () => {
    const { finger, machine, state } = openPhone()
    machine.dispatch({ type: 'start-app', component: 'com.tapline.messages' })
    const offset = () => state().ui.scroll['com.tapline.messages:threads'] ?? 0
    finger.drag(270, 700, 600)
    expect(offset()).toBe(100)
    finger.drag(270, 300, 1100)
    expect(offset()).toBe(0)
    machine.dispatch({ type: 'scroll', x: 270, y: 700, vertical: -1 })
    expect(offset()).toBe(96)
    machine.dispatch({ type: 'scroll', x: 270, y: 700, vertical: -1000 })
    const end = offset()
    expect(end).toBeGreaterThan(96)
    machine.dispatch({ type: 'scroll', x: 270, y: 700, vertical: -1 })
    expect(offset()).toBe(end)
  })

  test('a conversation opens at its end and is dragged down to older messages', () => {
    const { finger, machine, state } = openConversation('lin-yue')
    const last = lastMessage(state(), 'lin-yue')?.id
    expect(finger.find(`message_${last}`)).not.toBeNull()
    for (let count = 0; count < 12; count++)
      machine.callTool('messages.send_message', { contactId: 'lin-yue', text: `Line ${count}` })
    expect(finger.find(`message_${lastMessage(state(), 'lin-yue')?.id}`)).not.toBeNull()
    expect(finger.find('message_m1')).toBeNull()
    finger.drag(270, 300, 1000)
    finger.drag(270, 300, 1000)
    expect(finger.find('message_m1')).not.toBeNull()
  })
})

describe('a flick', () => {
  const offsetOf = (machine: PhoneMachine) =>
    phoneState.parse(machine.state()).ui.scroll['com.tapline.messages:threads'] ?? 0

  function flick(restMs: number) {
    const opened = openPhone()
    opened.machine.dispatch({ type: 'start-app', component: 'com.tapline.messages' })
    opened.finger.pointer('down', 270, 900)
    for (const y of [880, 860, 840]) {
      opened.finger.wait(16)
      opened.finger.pointer('move', 270, y)
    }
    opened.finger.wait(restMs)
    opened.finger.pointer('up', 270, 840)
    return opened
  }

  test('glides on, slows down and comes to rest', () => {
    const { machine, finger } = flick(1)
    expect(offsetOf(machine)).toBe(60)
    const offsets = Array.from({ length: 200 }, () => {
      finger.wait(16)
      return offsetOf(machine)
    })
    expect(offsets[0]).toBeGreaterThan(60)
    expect(offsets).toEqual(offsets.toSorted((one, other) => one - other))
    expect(machine.isAnimating()).toBe(false)
    expect(offsets.at(-1)).toBe(offsets.at(-2))
  })

  test('that ends with a resting finger does not glide', () => {
    const { machine, finger } = flick(200)
    finger.wait(16)
    expect(offsetOf(machine)).toBe(60)
  })

  test('is caught by a finger, which then taps nothing', () => {
    const { machine, finger } = flick(1)
    finger.wait(16)
    const caughtAt = offsetOf(machine)
    finger.pointer('down', 270, 600)
    finger.wait(16)
    finger.pointer('up', 270, 600)
    expect(offsetOf(machine)).toBe(caughtAt)
    expect(machine.foreground().activity).toBe('.MainActivity')
  })
})

describe('time', () => {
  test('comes only as ticks, and an idle phone shows the same screen until the minute changes', () => {
    const { machine, finger } = openConversation('lin-yue')
    expect(machine.isAnimating()).toBe(false)
    machine.screen.render()
    const xml = machine.hierarchyXml()
    finger.wait(1000)
    expect(machine.screen.render()).toEqual([])
    expect(machine.hierarchyXml()).toBe(xml)
    finger.wait(59_000)
    expect(machine.hierarchyXml()).toContain('18:03')
    expect(machine.screen.render().length).toBeGreaterThan(0)
  })

  test('animates while a message is on its way and while a toast is up', () => {
    const { machine, finger } = openPhone()
    machine.callTool('messages.send_message', { contactId: 'mum', text: 'Hi' })
    expect(machine.isAnimating()).toBe(true)
    finger.wait(600)
    expect(machine.isAnimating()).toBe(false)
  })
})

test('who listens hears every change and nothing else', () => {
  const { machine, finger } = openPhone()
  let heard = 0
  const stop = machine.onChange(() => heard++)
  finger.text('no focus')
  expect(heard).toBe(0)
  finger.wait(1)
  expect(heard).toBe(1)
  stop()
  finger.wait(1)
  expect(heard).toBe(1)
})
