import { expect, test } from 'vitest'
import { episodeStatuses, isLive } from '@/server/trajectory/contract'
import { controlsFor } from './episode-controls'

test('a finished episode has no controls, a live one can always be stopped', () => {
  for (const status of episodeStatuses) {
    expect(controlsFor(status, true).includes('stop')).toBe(isLive(status))
  }
})

test('taking over needs a device this person may drive', () => {
  expect(controlsFor('running', false)).not.toContain('take-over')
  expect(controlsFor('running', true)).toContain('take-over')
})
