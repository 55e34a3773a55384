import { describe, expect, test } from 'vitest'
import { clientMessage } from '@/server/wire/gateway/messages'
import { Fingers, keyMessagesOf, scrollMessageOf, toDevicePoint } from './screen-input'

const size = { width: 540, height: 1200 }

describe('toDevicePoint', () => {
  const box = { left: 100, top: 50, width: 270, height: 600 }

  test('scales to the device', () => {
    expect(toDevicePoint({ clientX: 235, clientY: 350 }, box, size)).toEqual({ x: 270, y: 600 })
  })

  test('stays on the screen at and beyond its edges', () => {
    expect(toDevicePoint({ clientX: 370, clientY: 650 }, box, size)).toEqual({ x: 539, y: 1199 })
    expect(toDevicePoint({ clientX: -900, clientY: 9_000 }, box, size)).toEqual({ x: 0, y: 1199 })
  })

  test('is nothing while there is no picture', () => {
    expect(toDevicePoint({ clientX: 0, clientY: 0 }, box, null)).toBeNull()
    expect(toDevicePoint({ clientX: 0, clientY: 0 }, { ...box, width: 0 }, size)).toBeNull()
  })
})

describe('Fingers', () => {
  const at = { x: 1, y: 2 }

  test('a browser pointer gets the lowest free finger and keeps it', () => {
    const fingers = new Fingers()
    expect(fingers.touch('down', 8_123, at, size)?.pointerId).toBe(0)
    expect(fingers.touch('down', 9_001, at, size)?.pointerId).toBe(1)
    expect(fingers.touch('up', 8_123, at, size)?.pointerId).toBe(0)
    expect(fingers.touch('move', 9_001, at, size)?.pointerId).toBe(1)
    expect(fingers.touch('down', 7, at, size)?.pointerId).toBe(0)
  })

  test('a pointer that is not down does nothing', () => {
    const fingers = new Fingers()
    expect(fingers.touch('move', 1, at, size)).toBeNull()
    expect(fingers.touch('up', 1, at, size)).toBeNull()
  })

  test('an eleventh finger is not seen', () => {
    const fingers = new Fingers()
    for (let pointer = 0; pointer < 10; pointer += 1) expect(fingers.touch('down', pointer, at, size)).not.toBeNull()
    expect(fingers.touch('down', 10, at, size)).toBeNull()
  })

  test('what it says is what the gateway reads', () => {
    const message = new Fingers().touch('down', 3, at, size)
    expect(clientMessage.parse(message)).toEqual(message)
  })
})

describe('scrollMessageOf', () => {
  test('a wheel turned down by one notch moves the content up by one', () => {
    const message = scrollMessageOf({ deltaX: 0, deltaY: 100, deltaMode: 0 }, { x: 5, y: 6 }, size)
    expect(message).toEqual({ type: 'scroll', x: 5, y: 6, ...size, horizontal: 0, vertical: -1 })
    expect(clientMessage.parse(message)).toEqual(message)
  })

  test('lines and wild values are in range', () => {
    expect(scrollMessageOf({ deltaX: 0, deltaY: -3, deltaMode: 1 }, { x: 0, y: 0 }, size)).toMatchObject({
      vertical: 1,
    })
    expect(scrollMessageOf({ deltaX: 1e9, deltaY: -1e9, deltaMode: 0 }, { x: 0, y: 0 }, size)).toMatchObject({
      horizontal: 16,
      vertical: 16,
    })
  })
})

describe('keyMessagesOf', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }

  test.each(['a', 'Z', ' ', '你', '🙂'])('%s is text', (key) => {
    expect(keyMessagesOf({ ...plain, key })).toEqual([{ type: 'text', text: key }])
  })

  test.each([
    ['Enter', 66],
    ['Backspace', 67],
    ['ArrowLeft', 21],
    ['Escape', 4],
  ])('%s is the key %i, pressed and released', (key, keycode) => {
    expect(keyMessagesOf({ ...plain, key })).toMatchObject([
      { type: 'key', action: 'down', keycode },
      { type: 'key', action: 'up', keycode },
    ])
  })

  test.each([
    ['a shortcut of the browser', { key: 'r', ctrlKey: true }],
    ['a shortcut of macOS', { key: 'c', metaKey: true }],
    ['a modifier', { key: 'Shift' }],
    ['a function key', { key: 'F5' }],
    ['a letter still being composed', { key: 'n', isComposing: true }],
    ['a name of Object.prototype', { key: 'constructor' }],
  ])('%s stays with the page', (_, event) => {
    expect(keyMessagesOf({ ...plain, ...event })).toEqual([])
  })

  test('Alt Gr writes text', () => {
    expect(keyMessagesOf({ ...plain, key: '@', ctrlKey: true, altKey: true })).toEqual([{ type: 'text', text: '@' }])
  })
})
