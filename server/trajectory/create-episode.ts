import type { Database, Transaction } from '@/db/client'
import type { Clock } from '@/server/platform/clock'
import { appendEvents } from './append-events'
import type { EpisodeEventBody, NewEpisodeEvent } from './contract'
import { insertEpisode } from './store/episodes'

type Started = Extract<EpisodeEventBody, { type: 'episode.started' }>

/** Makes an episode with its first events, in one transaction. */
export async function createEpisode(
  db: Database | Transaction,
  options: { episodeId: string; started: Started; clock: Clock },
): Promise<void> {
  const { episodeId, started, clock } = options
  await db.transaction(async (tx) => {
    await insertEpisode(tx, {
      id: episodeId,
      status: 'queued',
      taskId: started.task.id,
      seed: started.task.seed,
      title: started.task.title,
      request: started.request,
      planner: started.agent.planner,
      deviceId: started.device?.id ?? null,
      startedBy: started.by.id,
      createdAt: clock(),
    })
    const events: NewEpisodeEvent[] = [
      { actor: 'harness', body: started },
      { actor: 'user', body: { type: 'turn.started', text: started.request, by: started.by } },
    ]
    await appendEvents(tx, { episodeId, events, clock })
  })
}
