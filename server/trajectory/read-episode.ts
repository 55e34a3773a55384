import type { Database } from '@/db/client'
import { TaplineError } from '@/server/platform/errors'
import type { EpisodeEvent, EpisodeReading } from './contract'
import { readSummary } from './store/episodes'
import { selectEvents } from './store/events'

/** An answer may not grow over 4 MB; this leaves room for the envelope and for the last event. */
const mostBytes = 2 * 1024 * 1024
const batch = 200

/** The episode and a stretch of its log from `fromSeq`, cut at `limit` events or 2 MB. Throws `not-found`. */
export async function readEpisode(
  db: Database,
  query: { episodeId: string; fromSeq: number; limit: number },
): Promise<EpisodeReading> {
  const { episodeId, fromSeq, limit } = query
  const episode = await readSummary(db, episodeId)
  if (!episode) throw new TaplineError('not-found', `There is no episode ${episodeId}.`)
  const events: EpisodeEvent[] = []
  let bytes = 0
  for (;;) {
    const wanted = Math.min(batch, limit - events.length)
    if (wanted === 0) break
    const read = await selectEvents(db, { episodeId, fromSeq: fromSeq + events.length, limit: wanted })
    for (const event of read) {
      bytes += Buffer.byteLength(JSON.stringify(event))
      events.push(event)
      if (bytes >= mostBytes) return { episode, events, nextSeq: event.seq + 1 }
    }
    if (read.length < wanted) return { episode, events, nextSeq: null }
  }
  const [more] = await selectEvents(db, { episodeId, fromSeq: fromSeq + events.length, limit: 1 })
  return { episode, events, nextSeq: more?.seq ?? null }
}
