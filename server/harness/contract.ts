import { z } from 'zod'
import type { ExposedTool } from '@/server/tool/contract'
import type { FoldedEpisode, PlannerKind } from '@/server/trajectory/contract'

/** What a planner decides from: rebuilt from the log at every step. */
export type PlannerContext = {
  episode: FoldedEpisode
  task: { id: string; seed: number }
  instructions: string
  tools: ExposedTool[]
}

export type PlannerPart =
  | { type: 'reasoning-delta'; text: string }
  | { type: 'call'; tool: string; arguments: Record<string, unknown> }
  | { type: 'usage'; inputTokens: number; outputTokens: number; costMicroUsd: number }

/** What decides. `isModel` false is said on screen. */
export type Planner = {
  kind: PlannerKind
  version: string
  isModel: boolean
  decide(context: PlannerContext, signal: AbortSignal): AsyncIterable<PlannerPart>
}

/** Tools of the harness itself, offered beside the environment's. */
export const askUser = 'ask_user'
export const finish = 'finish'

export const startEpisodeInput = z.object({
  deviceId: z.uuid(),
  taskId: z.string().min(1).max(100),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  planner: z.enum(['demonstration']),
})
export type StartEpisodeInput = z.infer<typeof startEpisodeInput>

export const controlAction = z.enum(['pause', 'resume', 'take-over', 'hand-back', 'stop'])
export type ControlAction = z.infer<typeof controlAction>
