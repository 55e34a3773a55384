import { describe, expect, test } from 'vitest'
import { clientMessage, serverMessage } from '@/server/wire/gateway/messages'

const touch = { type: 'touch', id: 1, action: 'down', pointerId: 0, x: 10, y: 20, width: 540, height: 1200 }

describe('from a client', () => {
  test.each([
    touch,
    { type: 'lease.take', preempt: true },
    { type: 'lease.renew' },
    { type: 'lease.release' },
    { type: 'reset-video' },
    { type: 'key', action: 'up', keycode: 66, metaState: 0 },
    { type: 'text', text: '漢' },
    { type: 'scroll', x: 1, y: 2, width: 540, height: 1200, horizontal: 0, vertical: -1 },
  ])('accepts %j as it is', (message) => {
    expect(clientMessage.parse(message)).toEqual(message)
  })

  test('does not preempt unless asked', () => {
    expect(clientMessage.parse({ type: 'lease.take' })).toEqual({ type: 'lease.take', preempt: false })
  })

  test.each([
    ['an unknown type', { type: 'shell', command: 'id' }],
    ['a fraction of a pixel', { ...touch, x: 1.5 }],
    ['a point left of the screen', { ...touch, x: -1 }],
    ['an eleventh finger', { ...touch, pointerId: 10 }],
    ['an empty frame size', { ...touch, width: 0 }],
    ['an empty text', { type: 'text', text: '' }],
    ['a text over 4000 characters', { type: 'text', text: 'a'.repeat(4_001) }],
    ['a scroll over 16 notches', { type: 'scroll', x: 1, y: 2, width: 9, height: 9, horizontal: 17, vertical: 0 }],
    ['text instead of an object', 'touch'],
  ])('refuses %s', (_, message) => {
    expect(clientMessage.safeParse(message).success).toBe(false)
  })
})

describe('from the gateway', () => {
  test.each([
    { type: 'hello', deviceId: 'd', name: 'VPhone 1', mayDrive: true },
    { type: 'state', state: 'live', reason: null },
    { type: 'lease', holder: null },
    { type: 'lease', holder: { kind: 'agent', id: 'e', name: 'rules', expiresAt: 1, mine: false } },
    { type: 'input.done', id: 1, frameNumber: 4 },
    { type: 'refused', code: 'lease-held', message: 'Someone else holds the device.' },
  ])('accepts %j as it is', (message) => {
    expect(serverMessage.parse(message)).toEqual(message)
  })

  test('refuses a state that does not exist', () => {
    expect(serverMessage.safeParse({ type: 'state', state: 'stalled', reason: null }).success).toBe(false)
  })
})
