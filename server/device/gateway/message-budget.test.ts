import { expect, test } from 'vitest'
import { type BudgetVerdict, MessageBudget } from './message-budget'

function setUp() {
  const clock = { now: 50_000 }
  const budget = new MessageBudget(() => clock.now)
  const burst = (count: number): BudgetVerdict[] => Array.from({ length: count }, () => budget.count())
  return { clock, budget, burst }
}

test('200 messages a second are accepted, the rest dropped, and the client told once', () => {
  const { burst } = setUp()
  const verdicts = burst(203)
  expect(verdicts.slice(0, 200).every((verdict) => verdict === 'accept')).toBe(true)
  expect(verdicts.slice(200)).toEqual(['drop-and-tell', 'drop', 'drop'])
})

test('after 3 s of excess the client is closed', () => {
  const { burst, clock } = setUp()
  for (let second = 0; second < 3; second += 1) {
    expect(burst(201)).not.toContain('close')
    clock.now += 1_000
  }
  expect(burst(201).at(-1)).toBe('close')
})

test('a quiet second in between forgives', () => {
  const { burst, clock } = setUp()
  for (let second = 0; second < 10; second += 1) {
    expect(burst(second % 3 === 2 ? 100 : 201)).not.toContain('close')
    clock.now += 1_000
  }
  clock.now += 60_000
  expect(burst(201)).not.toContain('close')
})

test('20 messages that nobody can read close the client', () => {
  const { budget } = setUp()
  for (let count = 0; count < 19; count += 1) expect(budget.countUnreadable()).toBe('drop-and-tell')
  expect(budget.countUnreadable()).toBe('close')
})
