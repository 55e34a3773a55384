import { z } from 'zod'
import { taskList } from '@/server/environment/suite/task-list'
import { procedureFor, router } from '@/server/platform/procedure'
import { answerQuestion } from './answer-question'
import { controlAction, startEpisodeInput } from './contract'
import { controlEpisode } from './control-episode'
import { startEpisode } from './start-episode'

const episodeId = z.uuid()

export const harnessRouter = router({
  /** Every task with what its user would say for a seed. */
  tasks: procedureFor('viewer')
    .input(z.object({ seed: startEpisodeInput.shape.seed.default(1) }))
    .query(({ input }) =>
      taskList.map((template) => {
        const { id, title, request, budget } = template.instantiate(input.seed)
        return { id, title, exampleRequest: request, budget }
      }),
    ),

  start: procedureFor('operator')
    .input(startEpisodeInput)
    .mutation(({ ctx, input }) => startEpisode({ db: ctx.db, clock: ctx.clock, input, by: ctx.person })),

  answer: procedureFor('operator')
    .input(z.object({ episodeId, callId: z.string().min(1).max(100), text: z.string().trim().min(1).max(2_000) }))
    .mutation(({ ctx, input }) => answerQuestion({ db: ctx.db, clock: ctx.clock, ...input, by: ctx.person })),

  control: procedureFor('operator')
    .input(z.object({ episodeId, action: controlAction, note: z.string().trim().max(500).nullable().default(null) }))
    .mutation(({ ctx, input }) => controlEpisode({ db: ctx.db, clock: ctx.clock, ...input, by: ctx.person })),
})
