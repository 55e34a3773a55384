import type { Transaction } from '@/db/client'
import { TaplineError } from '@/server/platform/errors'
import { enqueueJob } from '@/server/platform/queue/enqueue'
import { continueEpisodeJob } from './jobs'

/**
 * Makes the episode run on, on the machine its device hangs on: a host's jobs have a task name of their own, which only
 * its workers take. They run side by side, so that two phones work at once; one episode never runs twice because a job
 * first claims its row, and a device has one unfinished episode.
 */
export async function enqueueEpisode(tx: Transaction, episode: { id: string; hostId: string | null }): Promise<void> {
  if (episode.hostId === null) {
    throw new TaplineError('conflict', `Episode ${episode.id} has no device to run on any more.`)
  }
  await enqueueJob(
    tx,
    continueEpisodeJob,
    { episodeId: episode.id },
    { queueName: `host:${episode.hostId}`, jobKey: `episode:${episode.id}` },
  )
}
