import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashOf, stateHashes } from './hash'
import { initialState, startTime } from './initial-state'
import { formatDate, formatIso, formatListTime, formatTime } from './local-time'
import { contactOf, phoneState } from './phone-state'

const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

describe('a fresh phone', () => {
  test('is the same for the same seed and another for another', () => {
    fc.assert(
      fc.property(seeds, seeds, (seed, other) => {
        expect(stateHashes(initialState(seed))).toEqual(stateHashes(initialState(seed)))
        if (seed !== other) expect(hashOf(initialState(seed).data)).not.toBe(hashOf(initialState(other).data))
      }),
      { numRuns: 30 },
    )
  })

  test('of seed 7 has not changed', () => {
    expect(stateHashes(initialState(7)).dataHash).toMatchInlineSnapshot(
      `"94d327e2fab15cacbc8b5d14d96275ba27851ae65fb2e64fae7862f2f1eb06ca"`,
    )
  })

  test('keeps the schema, with 24 contacts, two called Lin, and messages in order before now', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const state = phoneState.parse(initialState(seed))
        expect(state.data.contacts).toHaveLength(24)
        expect(state.data.contacts.filter((contact) => contact.name.startsWith('Lin '))).toHaveLength(2)
        expect(state.data.messages.threads.length).toBeGreaterThanOrEqual(10)
        for (const thread of state.data.messages.threads) {
          expect(contactOf(state.data, thread.contactId)).not.toBeNull()
          const times = thread.messages.map((message) => message.at)
          expect(times).toEqual(times.toSorted((one, other) => one - other))
          expect(times.at(-1)).toBeLessThan(startTime)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('has a gate code from 王医生 that the seed decides', () => {
    const codeOf = (seed: number) => {
      const thread = initialState(seed).data.messages.threads.find((one) => one.id === 'doctor-wang')
      return thread?.messages.map((message) => /密码是 (\d{4})/.exec(message.text)?.[1]).find(Boolean)
    }
    const codes = new Set(Array.from({ length: 20 }, (_, seed) => codeOf(seed)))
    expect(codes.has(undefined)).toBe(false)
    expect(codes.size).toBeGreaterThan(15)
  })

  test('starts on Monday 30 November, 18:02, in its own time zone', () => {
    expect(formatDate(startTime)).toBe('Monday 30 November')
    expect(formatTime(startTime)).toBe('18:02')
    expect(formatIso(startTime)).toBe('2026-11-30T18:02:00+08:00')
  })

  test('lists tell how long ago as short as they can', () => {
    const hour = 3_600_000
    expect(formatListTime(startTime - 18 * hour, startTime)).toBe('00:02')
    expect(formatListTime(startTime - 19 * hour, startTime)).toBe('Yesterday')
    expect(formatListTime(startTime - 43 * hour, startTime)).toBe('Sat')
    expect(formatListTime(startTime - 7 * 24 * hour, startTime)).toBe('23 Nov')
  })
})
