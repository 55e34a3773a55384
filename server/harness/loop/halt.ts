import type { FoldedEpisode } from '@/server/trajectory/contract'

/**
 * Why the loop may not go on: `ended`; `stop`, which it still has to carry out; `parked` while it waits for a person.
 * Null when it may.
 */
export type Halt = 'ended' | 'stop' | 'parked' | null

export function haltOf(episode: FoldedEpisode): Halt {
  if (episode.finished) return 'ended'
  if (episode.controls.some((control) => control.action === 'stop')) return 'stop'
  return ['waiting', 'paused', 'taken-over'].includes(episode.status) ? 'parked' : null
}
