import type { Database } from '@/db/client'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import { appendEvents } from '@/server/trajectory/append-events'
import { foldEpisode } from '@/server/trajectory/model/fold'
import { readLog } from '@/server/trajectory/read-log'
import { enqueueEpisode } from './enqueue-episode'
import { lockHeldEpisode } from './store'

/**
 * Answers the open question of an episode and lets it run on. While it is paused or taken over, the answer is kept until
 * then. Throws `not-found`, and `conflict` when that question is not open (any more).
 */
export async function answerQuestion(options: {
  db: Database
  clock: Clock
  episodeId: string
  callId: string
  text: string
  by: { id: string; name: string }
}): Promise<void> {
  const { db, clock, episodeId, callId, text, by } = options
  await db.transaction(async (tx) => {
    const episode = await lockHeldEpisode(tx, episodeId)
    if (!episode) throw new TaplineError('not-found', `There is no episode ${episodeId}.`)
    const { question } = foldEpisode(await readLog(tx, { episodeId, fromSeq: 0 }))
    if (question?.callId !== callId) {
      throw new TaplineError('conflict', 'This question is not open: it was answered, or the episode has ended.')
    }
    const at = clock()
    await appendEvents(tx, {
      episodeId,
      clock: () => at,
      events: [
        { actor: 'user', body: { type: 'answered', callId, text, by: { id: by.id, name: by.name } } },
        {
          actor: 'environment',
          body: {
            type: 'returned',
            callId,
            ok: true,
            code: 'ok',
            message: `The user answered: ${text}`,
            data: { answer: text },
            delta: [],
            durationMs: at - question.askedAt,
          },
        },
      ],
    })
    if (episode.status === 'waiting') await enqueueEpisode(tx, episode)
  })
}
