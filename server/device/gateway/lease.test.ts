import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  expireLease,
  holdsLease,
  leaseDurationMs,
  type LeaseChange,
  type LeaseParty,
  type LeaseState,
  releaseLease,
  renewLease,
  takeLease,
} from './lease'

const human: LeaseParty = { connectionId: 'c1', kind: 'human', id: 'p1', name: 'Ada' }
const otherTab: LeaseParty = { ...human, connectionId: 'c2' }
const otherHuman: LeaseParty = { connectionId: 'c3', kind: 'human', id: 'p2', name: 'Bo' }
const agent: LeaseParty = { connectionId: 'c4', kind: 'agent', id: 'e1', name: 'Demonstration' }
const parties = [human, otherTab, otherHuman, agent]

function heldBy(party: LeaseParty, now = 0): LeaseState {
  return takeLease(null, party, { now, preempt: false }).state
}

describe('takeLease', () => {
  test('a free lease is granted for 15 s', () => {
    const { state, granted, events } = takeLease(null, agent, { now: 100, preempt: false })
    expect(granted).toBe(true)
    expect(state).toEqual({ ...agent, expiresAt: 100 + leaseDurationMs })
    expect(events).toEqual([{ type: 'taken', lease: state }])
  })

  test('a held lease is refused without preempt, and nothing changes', () => {
    const state = heldBy(agent)
    expect(takeLease(state, human, { now: 1, preempt: false })).toEqual({ state, granted: false, events: [] })
  })

  test('a human takes it from an agent, which is told', () => {
    const state = heldBy(agent)
    const change = takeLease(state, human, { now: 1, preempt: true })
    expect(change.state?.connectionId).toBe('c1')
    expect(change.events.map((event) => event.type)).toEqual(['lost', 'taken'])
    expect(change.events[0]).toEqual({ type: 'lost', lease: state, reason: 'preempted' })
  })

  test('a human takes it from their own other tab', () => {
    expect(takeLease(heldBy(human), otherTab, { now: 1, preempt: true }).granted).toBe(true)
  })

  test('of two humans who take over at once the first wins', () => {
    const first = takeLease(heldBy(agent), human, { now: 1, preempt: true })
    const second = takeLease(first.state, otherHuman, { now: 1, preempt: true })
    expect(second).toEqual({ state: first.state, granted: false, events: [] })
  })

  test('an agent preempts nobody', () => {
    expect(takeLease(heldBy(human), agent, { now: 1, preempt: true }).granted).toBe(false)
  })

  test('a lease that has run out is free, and its holder is told', () => {
    const state = heldBy(human)
    const change = takeLease(state, agent, { now: leaseDurationMs, preempt: false })
    expect(change.granted).toBe(true)
    expect(change.events[0]).toEqual({ type: 'lost', lease: state, reason: 'expired' })
  })
})

describe('renewing, releasing, running out', () => {
  test('renewing counts from now', () => {
    expect(renewLease(heldBy(human), 'c1', 5_000).state?.expiresAt).toBe(5_000 + leaseDurationMs)
  })

  test('a lease that has run out cannot be renewed', () => {
    const change = renewLease(heldBy(human), 'c1', leaseDurationMs)
    expect(change).toMatchObject({ state: null, granted: false, events: [{ type: 'lost', reason: 'expired' }] })
  })

  test('only the holder releases', () => {
    const state = heldBy(human)
    expect(releaseLease(state, 'c3', 'released').state).toBe(state)
    expect(releaseLease(state, 'c1', 'disconnected')).toMatchObject({
      state: null,
      events: [{ type: 'lost', reason: 'disconnected' }],
    })
  })

  test('it runs out at its time, not before', () => {
    const state = heldBy(human)
    expect(expireLease(state, leaseDurationMs - 1).state).toBe(state)
    expect(expireLease(state, leaseDurationMs).state).toBeNull()
  })
})

describe('in any order of events', () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant('take' as const), who: fc.nat(3), preempt: fc.boolean() }),
    fc.record({ do: fc.constant('renew' as const), who: fc.nat(3) }),
    fc.record({ do: fc.constant('release' as const), who: fc.nat(3) }),
    fc.record({ do: fc.constant('expire' as const) }),
  )
  const step = fc.record({ action, passMs: fc.nat(leaseDurationMs + 1_000) })

  test('never two holders, and what the events say is what is', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0
        let state: LeaseState = null
        /** Who holds it by the events alone. */
        let told: string | null = null
        for (const { action: each, passMs } of steps) {
          now += passMs
          const change = apply(state, each, now)
          state = change.state
          for (const event of change.events) {
            if (event.type === 'lost') {
              expect(event.lease.connectionId).toBe(told)
              told = null
            } else {
              expect(told === null || told === event.lease.connectionId).toBe(true)
              told = event.lease.connectionId
            }
          }
          expect(told).toBe(state?.connectionId ?? null)
          const holders = parties.filter((party) => holdsLease(state, party.connectionId, now))
          expect(holders.length).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  function apply(
    state: LeaseState,
    each: { do: 'take'; who: number; preempt: boolean } | { do: 'renew' | 'release'; who: number } | { do: 'expire' },
    now: number,
  ): LeaseChange {
    if (each.do === 'expire') return expireLease(state, now)
    const party = parties[each.who] ?? human
    if (each.do === 'take') return takeLease(state, party, { now, preempt: each.preempt })
    if (each.do === 'renew') return renewLease(state, party.connectionId, now)
    return releaseLease(state, party.connectionId, 'released')
  }
})
