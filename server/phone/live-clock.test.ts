import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startLiveClock } from './live-clock'
import { createFakeMachine } from './shell/testing/fake-machine'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const ticks = (machine: ReturnType<typeof createFakeMachine>) =>
  machine.events.flatMap((event) => (event.type === 'tick' ? [event.ms] : []))

test('ticks once a second, and 60 times while something moves', () => {
  const machine = createFakeMachine()
  const clock = startLiveClock(machine, () => Date.now())
  vi.advanceTimersByTime(3_000)
  expect(ticks(machine)).toEqual([1_000, 1_000, 1_000])
  machine.animating = true
  machine.touched()
  vi.advanceTimersByTime(1_000)
  const moving = ticks(machine).slice(3)
  expect(moving.length).toBeGreaterThan(55)
  expect(moving.length).toBeLessThan(64)
  machine.animating = false
  vi.advanceTimersByTime(2_000)
  expect(ticks(machine).reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(5_000)
  clock.stop()
  const before = machine.events.length
  vi.advanceTimersByTime(10_000)
  expect(machine.events).toHaveLength(before)
})

test('brings the clock up to date before an event, and not after a reset', () => {
  const machine = createFakeMachine()
  const { machine: live, stop } = startLiveClock(machine, () => Date.now())
  vi.advanceTimersByTime(300)
  live.dispatch({ type: 'text', text: 'a' })
  expect(machine.events).toEqual([
    { type: 'tick', ms: 300 },
    { type: 'text', text: 'a' },
  ])
  vi.advanceTimersByTime(500)
  live.reset(2)
  live.dispatch({ type: 'text', text: 'b' })
  expect(ticks(machine)).toEqual([300])
  stop()
})
