import { describe, expect, test } from 'vitest'
import type { TouchMessage } from '@/server/wire/gateway/messages'
import type { ControlMessage } from '@/server/wire/scrcpy/control'
import { DeviceControl, type InputTarget } from './device-control'
import { leaseDurationMs, type LeaseEvent, type LeaseParty } from './lease'

const human: LeaseParty = { connectionId: 'human', kind: 'human', id: 'p1', name: 'Ada' }
const agent: LeaseParty = { connectionId: 'agent', kind: 'agent', id: 'e1', name: 'Demonstration' }

function setUp() {
  const clock = { now: 0 }
  const written: ControlMessage[] = []
  const events: LeaseEvent[] = []
  const target: InputTarget = {
    send: async (message) => void written.push(message),
    paste: async (text) => void written.push({ type: 'set-clipboard', sequence: 1n, paste: true, text }),
    size: () => ({ width: 540, height: 1200 }),
    lastFrameNumber: () => 41,
  }
  const control = new DeviceControl({ target, clock: () => clock.now, onLease: (each) => events.push(...each) })
  return { clock, written, events, control, target }
}

function touch(action: TouchMessage['action'], x = 10, y = 20, pointerId = 0): TouchMessage {
  return { type: 'touch', action, pointerId, x, y, width: 540, height: 1200 }
}

const releases = (written: ControlMessage[]) =>
  written.filter((message) => message.type === 'inject-touch' && message.action === 'up')

describe('input', () => {
  test('of the holder is written, stamped with the size of the frame the sender saw', async () => {
    const { control, written } = setUp()
    control.take(human, false)
    expect(await control.input('human', touch('down'))).toEqual({ ok: true, frameNumber: 41 })
    expect(written).toEqual([
      {
        type: 'inject-touch',
        action: 'down',
        pointerId: 0n,
        x: 10,
        y: 20,
        screenWidth: 540,
        screenHeight: 1200,
        pressure: 1,
        actionButton: 0,
        buttons: 0,
      },
    ])
  })

  test('of anyone else is refused and not written', async () => {
    const { control, written } = setUp()
    expect(await control.input('human', touch('down'))).toMatchObject({ ok: false, code: 'not-allowed' })
    control.take(agent, false)
    expect(await control.input('human', touch('down'))).toMatchObject({ ok: false, code: 'lease-held' })
    expect(written).toEqual([])
  })

  test('queued by a holder who is preempted meanwhile is not written', async () => {
    const { control, written } = setUp()
    control.take(agent, false)
    const late = control.input('agent', touch('down'))
    control.take(human, true)
    expect(await late).toMatchObject({ ok: false, code: 'lease-lost' })
    expect(written).toEqual([])
  })

  test.each([
    ['off the frame', touch('down', 540, 0)],
    ['an up without a down', touch('up')],
    ['a move without a down', touch('move')],
    ['a scroll off the frame', { type: 'scroll', x: 0, y: 1200, width: 540, height: 1200, horizontal: 0, vertical: 1 }],
  ] as const)('%s is refused', async (_, message) => {
    const { control, written } = setUp()
    control.take(human, false)
    expect(await control.input('human', message)).toMatchObject({ ok: false, code: 'bad-message' })
    expect(written).toEqual([])
  })

  test('a device that is gone refuses, and the next input is still served', async () => {
    const { control, target } = setUp()
    control.take(human, false)
    const { send } = target
    target.send = () => Promise.reject(new Error('unplugged'))
    expect(await control.input('human', { type: 'key', action: 'down', keycode: 4, metaState: 0 })).toEqual({
      ok: false,
      code: 'device-gone',
      message: 'unplugged',
    })
    target.send = send
    expect(await control.input('human', touch('down'))).toMatchObject({ ok: true })
  })

  test('text and keys keep their order, whatever way the text goes', async () => {
    const { control, written } = setUp()
    control.take(human, false)
    const all = [
      control.input('human', { type: 'text', text: '你好' }),
      control.input('human', { type: 'key', action: 'down', keycode: 66, metaState: 0 }),
      control.input('human', { type: 'text', text: 'x'.repeat(301) }),
    ]
    await Promise.all(all)
    expect(written.map((message) => message.type)).toEqual([
      'set-clipboard',
      'inject-keycode',
      'inject-text',
      'inject-text',
    ])
  })

  test('a device that does not keep up is not sent more without end', async () => {
    const { control, target } = setUp()
    control.take(human, false)
    target.send = () => new Promise(() => undefined)
    const outcomes = Array.from({ length: 501 }, () => control.input('human', touch('down')))
    expect(await outcomes.at(-1)).toMatchObject({ ok: false, code: 'rate-limited' })
  })
})

describe('fingers are lifted when the lease is lost', () => {
  const ways: [string, (setup: ReturnType<typeof setUp>) => void][] = [
    ['released', ({ control }) => void control.release('human', 'released')],
    ['the socket died', ({ control }) => void control.release('human', 'disconnected')],
    ['preempted from another tab', ({ control }) => void control.take({ ...human, connectionId: 'tab' }, true)],
    [
      'run out',
      ({ control, clock }) => {
        clock.now += leaseDurationMs
        control.tick()
      },
    ],
  ]
  test.each(ways)('%s', async (_, lose) => {
    const setup = setUp()
    setup.control.take(human, false)
    await setup.control.input('human', touch('down', 10, 20, 0))
    await setup.control.input('human', touch('down', 30, 40, 7))
    await setup.control.input('human', touch('move', 33, 44, 7))
    lose(setup)
    expect(await setup.control.input('human', touch('move', 50, 50, 7))).toMatchObject({ ok: false })
    expect(releases(setup.written)).toMatchObject([
      { pointerId: 0n, x: 10, y: 20 },
      { pointerId: 7n, x: 33, y: 44 },
    ])
  })

  test('input after the end of the time lifts them too, without waiting for a tick', async () => {
    const setup = setUp()
    setup.control.take(human, false)
    await setup.control.input('human', touch('down'))
    setup.clock.now += leaseDurationMs
    expect(await setup.control.input('human', touch('move'))).toMatchObject({ ok: false, code: 'lease-lost' })
    await setup.control.input('human', touch('up'))
    expect(releases(setup.written)).toHaveLength(1)
  })

  test('a finger lifted by hand is not lifted again', async () => {
    const { control, written } = setUp()
    control.take(human, false)
    await control.input('human', touch('down'))
    await control.input('human', touch('up'))
    control.release('human', 'released')
    await control.input('human', touch('down'))
    expect(releases(written)).toHaveLength(1)
  })
})

test('who takes the lease again is not told that it is lost', async () => {
  const { control, clock } = setUp()
  control.take(human, false)
  clock.now += leaseDurationMs
  control.tick()
  expect(await control.input('human', touch('down'))).toMatchObject({ code: 'lease-lost' })
  control.take(human, false)
  expect(await control.input('human', touch('down'))).toMatchObject({ ok: true })
})
