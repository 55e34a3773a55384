import type { Database } from '@/db/client'
import type { Clock } from '@/server/platform/clock'
import type { Logger } from '@/server/platform/log'
import { appendEvents } from '@/server/trajectory/append-events'
import { enqueueEpisode } from './enqueue-episode'
import { clearWorker, hasLivingWorker, type HeldEpisode, lockHeldEpisode, readOrphans } from './store'

/**
 * Looks after episodes whose worker died: where their machine has a worker, they run on from their log; where it has
 * none, they are interrupted and their device is free. A worker calls it when it starts and whenever it finds a dead one.
 */
export async function recoverEpisodes(options: {
  db: Database
  clock: Clock
  log: Logger
  /** The caller's machine, which has a living worker: the caller. */
  hostId: string
}): Promise<{ continued: string[]; interrupted: string[] }> {
  const { db, hostId, log } = options
  const recovered = { continued: [] as string[], interrupted: [] as string[] }
  for (const orphan of await readOrphans(db, hostId)) {
    const outcome = await recoverEpisode(options, orphan)
    if (outcome === null) continue
    recovered[outcome].push(orphan.id)
    log.warn({ episodeId: orphan.id, lostWorkerId: orphan.workerId }, `episode ${outcome} after its worker was lost`)
  }
  return recovered
}

async function recoverEpisode(
  { db, clock, hostId }: { db: Database; clock: Clock; hostId: string },
  orphan: HeldEpisode,
): Promise<'continued' | 'interrupted' | null> {
  return db.transaction(async (tx) => {
    const episode = await lockHeldEpisode(tx, orphan.id)
    // Somebody else was first.
    if (!episode || episode.finishedAt !== null || episode.workerId !== orphan.workerId) return null
    if (episode.workerId !== null) await clearWorker(tx, { episodeId: episode.id, workerId: episode.workerId })
    if (episode.hostId !== null && (episode.hostId === hostId || (await hasLivingWorker(tx, episode.hostId)))) {
      // One that waits for a person is taken up by what the person does.
      if (episode.status !== 'queued' && episode.status !== 'running') return null
      await enqueueEpisode(tx, episode)
      return 'continued'
    }
    const reason = 'The worker was lost and its machine has no other: nobody can reach the device.'
    await appendEvents(tx, {
      episodeId: episode.id,
      clock,
      events: [
        {
          actor: 'harness',
          body: { type: 'episode.finished', status: 'interrupted', claim: null, verdict: null, reason },
        },
      ],
    })
    return 'interrupted'
  })
}
