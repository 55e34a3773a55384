import { tracked } from '@trpc/server'
import { z } from 'zod'
import { TaplineError } from '@/server/platform/errors'
import { procedureFor, router } from '@/server/platform/procedure'
import { listEpisodesInput } from './contract'
import { followEpisode } from './follow-episode'
import { listEpisodes } from './list-episodes'
import { readEpisode } from './read-episode'

const seq = z.number().int().min(0)

export const trajectoryRouter = router({
  list: procedureFor('viewer')
    .input(listEpisodesInput)
    .query(({ ctx, input }) => listEpisodes(ctx.db, input)),

  get: procedureFor('viewer')
    .input(
      z.object({
        episodeId: z.uuid(),
        fromSeq: seq.default(0),
        limit: z.number().int().min(1).max(2_000).default(500),
      }),
    )
    .query(({ ctx, input }) => readEpisode(ctx.db, input)),

  /** Items tracked by the seq they follow: after a break the client asks on from the last one it saw. */
  follow: procedureFor('viewer')
    .input(z.object({ episodeId: z.uuid(), fromSeq: seq.default(0), lastEventId: z.string().max(20).nullish() }))
    .subscription(async function* ({ ctx, input, signal }) {
      if (!ctx.listener) throw new TaplineError('unavailable', 'Episodes are followed over the WebSocket.')
      const lastSeq = seq.safeParse(Number(input.lastEventId || 'none')).data
      const fromSeq = lastSeq === undefined ? input.fromSeq : lastSeq + 1
      // A delta carries the id of the event before it: resuming from it must not skip anything.
      let trackedSeq = fromSeq - 1
      for await (const item of followEpisode({
        db: ctx.db,
        listener: ctx.listener,
        episodeId: input.episodeId,
        fromSeq,
        signal: signal ?? new AbortController().signal,
      })) {
        if (item.type === 'event') trackedSeq = item.event.seq
        yield tracked(trackedSeq < 0 ? 'start' : String(trackedSeq), item)
      }
    }),
})
