import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { phoneEvent } from '@/server/phone/contract'
import type { PhoneEvent } from '@/server/phone/contract'
import { createPhoneMachine } from '@/server/phone/machine'
import { phoneState } from './phone-state'
import { openPhone } from './testing/opened-phone'

describe('replay', () => {
  const coordinate = (size: number) => fc.integer({ min: -20, max: size + 20 })
  const event: fc.Arbitrary<PhoneEvent> = fc.oneof(
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('tick' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('pointer' as const),
        action: fc.constantFrom('down' as const, 'move' as const, 'up' as const, 'cancel' as const),
        pointerId: fc.integer({ min: 0, max: 1 }),
        x: coordinate(540),
        y: coordinate(1200),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('key' as const),
        action: fc.constantFrom('down' as const, 'up' as const),
        keycode: fc.integer({ min: 0, max: 290 }),
        metaState: fc.constantFrom(0, 1, 0x1000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'binary' }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('scroll' as const),
        x: coordinate(540),
        y: coordinate(1200),
        vertical: fc.integer({ min: -9, max: 9 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'start-app' as const, component: 'com.tapline.messages' }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('tool' as const),
        name: fc.constantFrom('messages.send_message', 'messages.save_draft', 'messages.retry_message'),
        arguments: fc.record({ contactId: fc.constantFrom('mum', 'lin-yue', 'nobody'), text: fc.string() }),
      }),
    },
  )
  const taps: fc.Arbitrary<PhoneEvent[]> = fc
    .tuple(coordinate(540), coordinate(1200))
    .map(([x, y]) =>
      (['down', 'up'] as const).map((action) => ({ type: 'pointer', action, pointerId: 0, x, y }) satisfies PhoneEvent),
    )
  const story = fc
    .array(
      fc.oneof(
        event.map((one) => [one]),
        taps,
      ),
      { maxLength: 60 },
    )
    .map((parts): PhoneEvent[] => [{ type: 'start-app', component: 'com.tapline.messages' }, ...parts.flat()])

  test('any events keep the state whole, and the same events give the same state', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), story, (seed, events) => {
        const logged: PhoneEvent[] = []
        const machine = createPhoneMachine({ seed, onEvent: (one) => logged.push(one) })
        for (const one of events) machine.dispatch(one)
        expect(phoneState.parse(machine.state())).toEqual(machine.state())
        const again = createPhoneMachine({ seed })
        for (const one of logged) again.dispatch(phoneEvent.parse(JSON.parse(JSON.stringify(one))))
        expect(again.hashes()).toEqual(machine.hashes())
        const restored = createPhoneMachine({ seed: 0, snapshot: machine.snapshot() })
        expect(restored.hashes()).toEqual(machine.hashes())
        expect(restored.hierarchyXml()).toBe(machine.hierarchyXml())
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  test('a tool call is the same as its event', () => {
    const called = openPhone()
    const events: PhoneEvent[] = []
    const logged = createPhoneMachine({ seed: 7, onEvent: (event) => events.push(event) })
    logged.callTool('messages.send_message', { contactId: 'mum', text: 'Hi' })
    for (const one of events) called.machine.dispatch(one)
    expect(events).toHaveLength(1)
    expect(called.machine.hashes()).toEqual(logged.hashes())
  })

  test('events that are not events change nothing', () => {
    const { machine } = openPhone()
    const before = machine.state()
    machine.dispatch({ type: 'tick', ms: -1 })
    machine.dispatch({ type: 'pointer', action: 'down', pointerId: 0, x: Number.NaN, y: 3 })
    expect(machine.state()).toBe(before)
    expect(machine.callTool('messages.send_message', ['mum']).code).toBe('bad-arguments')
    expect(machine.callTool('nothing', null).code).toBe('unknown-tool')
  })
})
