import { z } from 'zod'
import type { Database } from '@/db/client'
import { TaplineError } from '@/server/platform/errors'
import type { Listener } from '@/server/platform/notify'
import { episodeChannel } from './append-events'
import type { EpisodeEvent, FollowedItem } from './contract'
import { readEpisodeRow } from './store/episodes'
import { selectEvents } from './store/events'
import { parseReasoningNotice, reasoningChannel } from './speak-reasoning'

const batch = 500
/** Deltas a slow follower may lag behind: the `reasoned` event tells all of it anyway. */
const mostWaitingDeltas = 1_000
const notice = z.string().regex(/^[0-9a-f-]{36}:\d+$/)

type Waiting = { type: 'stored' } | { type: 'delta'; afterSeq: number; text: string }

/**
 * The log from `fromSeq` on, as it grows, with reasoning as it is spoken in between; ends after `episode.finished` or
 * when the signal aborts. It reads by `seq`, so a notice that was missed costs nothing but the time to the next one.
 * Throws `not-found` when there is no such episode.
 */
export async function* followEpisode(options: {
  db: Database
  listener: Listener
  episodeId: string
  fromSeq: number
  signal: AbortSignal
}): AsyncGenerator<FollowedItem, void, undefined> {
  const { db, listener, episodeId, signal } = options
  const waiting: Waiting[] = [{ type: 'stored' }]
  let wake = () => undefined as void
  const add = (item: Waiting) => {
    const last = waiting.at(-1)
    if (item.type === 'stored' && last?.type === 'stored') return
    if (item.type === 'delta' && waiting.length >= mostWaitingDeltas) return
    waiting.push(item)
    wake()
  }
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  const stops: (() => Promise<void>)[] = []
  try {
    const onStored = (payload: string) => {
      if (notice.safeParse(payload).success && payload.startsWith(episodeId)) add({ type: 'stored' })
    }
    const onSpoken = (payload: string) => {
      const spoken = parseReasoningNotice(payload)
      if (spoken?.episodeId === episodeId) add({ type: 'delta', afterSeq: spoken.afterSeq, text: spoken.text })
    }
    // Listening starts before the first reading, so that nothing falls between the two.
    stops.push(await listener.listen(episodeChannel, onStored, () => add({ type: 'stored' })))
    stops.push(await listener.listen(reasoningChannel, onSpoken, () => undefined))

    let nextSeq = options.fromSeq
    let reasonedSeq = -1
    while (!signal.aborted) {
      const item = waiting.shift()
      if (!item) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (signal.aborted || waiting.length > 0) resolve()
        })
      } else if (item.type === 'delta') {
        // Reading ahead may have brought the whole text already.
        if (item.afterSeq >= reasonedSeq) yield { type: 'reasoning-delta', afterSeq: item.afterSeq, text: item.text }
      } else {
        for await (const event of readStored(db, episodeId, nextSeq)) {
          if (signal.aborted) return
          nextSeq = event.seq + 1
          if (event.body.type === 'reasoned') reasonedSeq = event.seq
          yield { type: 'event', event }
          if (event.body.type === 'episode.finished') return
        }
        const row = await readEpisodeRow(db, episodeId)
        if (!row) throw new TaplineError('not-found', `There is no episode ${episodeId}.`)
        if (row.finishedAt !== null && nextSeq >= row.nextSeq) return
        if (nextSeq < row.nextSeq) add({ type: 'stored' })
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    for (const stop of stops) await stop()
  }
}

async function* readStored(db: Database, episodeId: string, fromSeq: number): AsyncGenerator<EpisodeEvent> {
  let nextSeq = fromSeq
  for (;;) {
    const events = await selectEvents(db, { episodeId, fromSeq: nextSeq, limit: batch })
    yield* events
    if (events.length < batch) return
    nextSeq += events.length
  }
}
