import { expect, test } from 'vitest'
import { formatCost, formatDuration, formatSpan } from './format'

test('durations', () => {
  expect([0, 999, 41_000, 61_500, 3_723_000, -5].map(formatDuration)).toEqual([
    '00:00',
    '00:00',
    '00:41',
    '01:01',
    '1:02:03',
    '00:00',
  ])
})

test('spans', () => {
  expect([38.2, 99.6, 1_234, 9_949, 9_950, 41_499].map(formatSpan)).toEqual([
    '38 ms',
    '100 ms',
    '1.2 s',
    '9.9 s',
    '10 s',
    '41 s',
  ])
})

test('cost', () => {
  expect(formatCost(2_100)).toBe('$0.0021')
})
