import type { Planner, PlannerContext } from '@/server/harness/contract'
import type { Clock } from '@/server/platform/clock'

export type Usage = { inputTokens: number; outputTokens: number; costMicroUsd: number }
export type Decision = {
  reasoning: string
  durationMs: number
  calls: { tool: string; arguments: Record<string, unknown> }[]
  usage: Usage | null
}

/** Followers are told at most ten times a second. */
const speakEveryMs = 100

/** Lets the planner decide, and passes its reasoning on as it comes. Rejects with the signal's reason when aborted. */
export async function decideStep(options: {
  planner: Planner
  context: PlannerContext
  clock: Clock
  signal: AbortSignal
  speak: (text: string) => Promise<void>
}): Promise<Decision> {
  const { planner, context, clock, signal, speak } = options
  const startedAt = clock()
  const decision: Decision = { reasoning: '', durationMs: 0, calls: [], usage: null }
  let unspoken = ''
  let spokenAt = startedAt
  for await (const part of planner.decide(context, signal)) {
    signal.throwIfAborted()
    switch (part.type) {
      case 'reasoning-delta':
        decision.reasoning += part.text
        unspoken += part.text
        if (clock() - spokenAt < speakEveryMs) break
        await speak(unspoken)
        unspoken = ''
        spokenAt = clock()
        break
      case 'call':
        decision.calls.push({ tool: part.tool, arguments: part.arguments })
        break
      case 'usage':
        decision.usage = {
          inputTokens: (decision.usage?.inputTokens ?? 0) + part.inputTokens,
          outputTokens: (decision.usage?.outputTokens ?? 0) + part.outputTokens,
          costMicroUsd: (decision.usage?.costMicroUsd ?? 0) + part.costMicroUsd,
        }
        break
      default: {
        const unknown: never = part
        throw new TypeError(`Unknown part ${JSON.stringify(unknown)}`)
      }
    }
  }
  signal.throwIfAborted()
  // What is left is not spoken: the stored text follows at once.
  return { ...decision, durationMs: clock() - startedAt }
}
