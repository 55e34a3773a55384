import type { Database } from '@/db/client'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import type { Listener } from '@/server/platform/notify'
import { appendEvents, episodeChannel } from '@/server/trajectory/append-events'
import type { FoldedEpisode, NewEpisodeEvent } from '@/server/trajectory/contract'
import { emptyEpisode, foldEvent } from '@/server/trajectory/model/fold'
import { readLog } from '@/server/trajectory/read-log'

/** The log of an episode as its loop sees it: folded, and kept up with what others write to it. */
export type EpisodeLog = {
  state(): FoldedEpisode
  append(...events: NewEpisodeEvent[]): Promise<void>
  /** Folds in what others have written. */
  refresh(): Promise<void>
  /** Calls back after every change somebody else may have made. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

/** Opens the log for the worker that holds the episode. Throws `not-found`. */
export async function openEpisodeLog(options: {
  db: Database
  listener: Listener
  clock: Clock
  episodeId: string
  workerId: string
}): Promise<EpisodeLog> {
  const { db, listener, clock, episodeId, workerId } = options
  const watchers = new Set<() => void>()
  let state = emptyEpisode()

  const refresh = async () => {
    // Two readings at once are harmless: an event folds in once.
    for (const event of await readLog(db, { episodeId, fromSeq: state.lastSeq + 1 })) state = foldEvent(state, event)
  }
  const refreshAndTell = () => {
    refresh().then(
      () => {
        for (const watcher of watchers) watcher()
      },
      // The loop reads again before its next step, and then says what is wrong.
      () => undefined,
    )
  }
  const stop = await listener.listen(
    episodeChannel,
    (payload) => {
      const seq = Number(payload.slice(episodeId.length + 1))
      if (payload.startsWith(`${episodeId}:`) && seq > state.lastSeq) refreshAndTell()
    },
    refreshAndTell,
  )
  try {
    await refresh()
    if (state.lastSeq < 0) throw new TaplineError('not-found', `There is no episode ${episodeId}.`)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    state: () => state,
    refresh,
    async append(...events) {
      await appendEvents(db, { episodeId, events, clock, heldBy: workerId })
      await refresh()
    },
    onChange(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    close: stop,
  }
}
