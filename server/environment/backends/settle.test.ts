import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settle } from './settle'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Reads `values` one after the other, the last for ever. */
async function settleOn(values: string[], stillMs?: number) {
  let reads = 0
  const read = async () => values[Math.min(reads++, values.length - 1)] ?? ''
  const signal = new AbortController().signal
  const startedAt = performance.now()
  const done = settle('a', read, { signal, ...(stillMs === undefined ? {} : { stillMs }) }).then(
    () => performance.now() - startedAt,
  )
  await vi.advanceTimersByTimeAsync(10_000)
  return { ms: await done, reads }
}

vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}))

test('a change that stays for one more reading has settled', async () => {
  expect((await settleOn(['a', 'b', 'c', 'c'])).reads).toBe(4)
})

test('a touch that changes nothing is given a third of a second', async () => {
  const { ms } = await settleOn(['a'])
  expect(ms).toBeGreaterThanOrEqual(360)
  expect(ms).toBeLessThan(600)
})

test('with a still time, a pause between two changes does not count as the end', async () => {
  const { reads } = await settleOn(['b', 'b', 'b', 'b', 'c'], 500)
  expect(reads).toBeGreaterThan(10)
})

test('something that always moves is given three seconds', async () => {
  const { ms } = await settleOn(Array.from({ length: 1_000 }, (_, index) => String(index)))
  expect(ms).toBeGreaterThanOrEqual(3_000)
  expect(ms).toBeLessThan(3_200)
})
