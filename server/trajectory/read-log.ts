import type { Database, Transaction } from '@/db/client'
import type { EpisodeEvent } from './contract'
import { selectEvents } from './store/events'

/** The whole log from `fromSeq` on, in order; empty when there is nothing more. */
export async function readLog(
  db: Database | Transaction,
  query: { episodeId: string; fromSeq: number },
): Promise<EpisodeEvent[]> {
  return selectEvents(db, query)
}
