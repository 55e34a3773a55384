import type { Database } from '@/db/client'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import { appendEvents } from '@/server/trajectory/append-events'
import { type EpisodeStatus, isLive, type NewEpisodeEvent } from '@/server/trajectory/contract'
import { foldEpisode } from '@/server/trajectory/model/fold'
import { readLog } from '@/server/trajectory/read-log'
import type { ControlAction } from './contract'
import { enqueueEpisode } from './enqueue-episode'
import { lockHeldEpisode } from './store'

const allowed: Record<ControlAction, readonly EpisodeStatus[]> = {
  pause: ['queued', 'running', 'waiting'],
  resume: ['paused'],
  'take-over': ['queued', 'running', 'waiting', 'paused'],
  'hand-back': ['taken-over'],
  stop: ['queued', 'running', 'waiting', 'paused', 'taken-over'],
}

/**
 * Pauses, resumes, stops, takes over or hands back an episode. A running one reads this from its log and obeys between and
 * during its steps; stopping one that nobody runs ends it here. Throws `not-found`, and `conflict` when the action does
 * not fit the state it is in.
 */
export async function controlEpisode(options: {
  db: Database
  clock: Clock
  episodeId: string
  action: ControlAction
  note: string | null
  by: { id: string; name: string }
}): Promise<void> {
  const { db, clock, episodeId, action, note, by } = options
  await db.transaction(async (tx) => {
    const episode = await lockHeldEpisode(tx, episodeId)
    if (!episode) throw new TaplineError('not-found', `There is no episode ${episodeId}.`)
    if (!allowed[action].includes(episode.status)) {
      const why = isLive(episode.status) ? `it is ${episode.status}` : `it has ended (${episode.status})`
      throw new TaplineError('conflict', `This episode can't do "${action}": ${why}.`)
    }
    const events: NewEpisodeEvent[] = [
      { actor: 'human', body: { type: 'control', action, by: { id: by.id, name: by.name }, note } },
    ]
    if (action === 'stop' && episode.workerId === null) {
      const reason = `${by.name} stopped it.`
      events.push({
        actor: 'harness',
        body: { type: 'episode.finished', status: 'stopped', claim: null, verdict: null, reason },
      })
    }
    await appendEvents(tx, { episodeId, events, clock })
    if (action !== 'resume' && action !== 'hand-back') return
    const { status } = foldEpisode(await readLog(tx, { episodeId, fromSeq: 0 }))
    // With a question still open it waits for the answer, which enqueues.
    if (status === 'queued') await enqueueEpisode(tx, episode)
  })
}
