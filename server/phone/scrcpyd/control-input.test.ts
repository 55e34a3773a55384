import { expect, test } from 'vitest'
import { createFakeMachine } from '@/server/phone/shell/testing/fake-machine'
import type { ControlMessage } from '@/server/wire/scrcpy/control'
import { DeviceMessageParser, type DeviceMessage } from '@/server/wire/scrcpy/device-message'
import { ControlInput } from './control-input'

function create(videoSize = { width: 540, height: 1_200 }) {
  const machine = createFakeMachine()
  const replies: DeviceMessage[] = []
  const lines: string[] = []
  let resets = 0
  const input = new ControlInput({
    machine,
    videoSize,
    resetVideo: () => resets++,
    reply: (message) => replies.push(...new DeviceMessageParser().push(message)),
    log: (_, text) => lines.push(text),
  })
  return { machine, input, replies, lines, resets: () => resets }
}

const touch = (
  action: 'down' | 'move' | 'up' | 'hover-move',
  size = { width: 540, height: 1_200 },
): ControlMessage => ({
  type: 'inject-touch',
  action,
  pointerId: 2n ** 64n - 2n,
  x: 54,
  y: 120,
  screenWidth: size.width,
  screenHeight: size.height,
  pressure: 1,
  actionButton: 0,
  buttons: 0,
})

test('touches become pointer events, scaled from the video to the screen', () => {
  const { machine, input } = create({ width: 270, height: 600 })
  input.apply(touch('down', { width: 270, height: 600 }))
  input.apply(touch('hover-move', { width: 270, height: 600 }))
  expect(machine.events).toEqual([{ type: 'pointer', action: 'down', pointerId: -2, x: 108, y: 240 }])
})

test('a touch for another size is ignored, and said', () => {
  const { machine, input, lines } = create()
  input.apply(touch('down', { width: 270, height: 600 }))
  expect(machine.events).toEqual([])
  expect(lines).toEqual(['Ignore positional event generated for size 270x600 (current size is 540x1200)'])
})

test('fingers that are down are lifted at the end, once', () => {
  const { machine, input } = create()
  input.apply(touch('down'))
  input.release()
  input.release()
  expect(machine.events.at(-1)).toMatchObject({ action: 'cancel', x: 54, y: 120 })
  expect(machine.events).toHaveLength(2)
  input.apply(touch('down'))
  input.apply(touch('up'))
  input.release()
  expect(machine.events).toHaveLength(4)
})

test('the clipboard is set, acknowledged, pasted and read', () => {
  const { machine, input, replies } = create()
  input.apply({ type: 'set-clipboard', sequence: 5n, paste: true, text: '你好' })
  input.apply({ type: 'get-clipboard', copyKey: 'none' })
  input.apply({ type: 'set-clipboard', sequence: 0n, paste: false, text: 'b' })
  expect(replies).toEqual([
    { type: 'ack-clipboard', sequence: 5n },
    { type: 'clipboard', text: '你好' },
  ])
  expect(machine.events.map((event) => event.type === 'key' && event.keycode)).toEqual([279, 279])
})

test('apps start by package and by name', () => {
  const { machine, input, lines } = create()
  for (const name of ['com.example.notes', '+com.example.notes', '?not', 'com.none'])
    input.apply({ type: 'start-app', name })
  expect(machine.events.filter((event) => event.type === 'start-app')).toHaveLength(3)
  expect(machine.events.filter((event) => event.type === 'key')).toHaveLength(2)
  expect(lines.at(-1)).toBe('No app found for "com.none"')
})

test('a reset reaches the video, and what a phone can not do is said', () => {
  const { input, lines, resets } = create()
  input.apply({ type: 'reset-video' })
  input.apply({ type: 'rotate-device' })
  expect(resets()).toBe(1)
  expect(lines).toEqual(['rotate-device has no effect on this device'])
})
