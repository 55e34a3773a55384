import { setTimeout as wait } from 'node:timers/promises'
import type { PlanStep, TaskInstance } from '@/server/environment/contract'
import type { Planner, PlannerContext } from '@/server/harness/contract'
import { finish } from '@/server/harness/contract'
import { TaplineError } from '@/server/platform/errors'
import type { ToolResult } from '@/server/tool/contract'
import type { FoldedEpisode, StepCall } from '@/server/trajectory/contract'

export const demonstrationVersion = 'demonstration-1'

const chunkMs = 100
const defaultCharactersPerSecond = 90

/**
 * A task's gold plan as a planner; no language model. At every decision it re-runs the plan over the results in the log,
 * so that it goes on from any log, whoever wrote it. Its reasoning comes at a pace people can read along with.
 */
export function createDemonstrationPlanner(options: {
  taskInstance: (taskId: string, seed: number) => TaskInstance
  /** `Infinity` says it all at once. */
  charactersPerSecond?: number
}): Planner {
  const pace = options.charactersPerSecond ?? defaultCharactersPerSecond
  return {
    kind: 'demonstration',
    version: demonstrationVersion,
    isModel: false,
    async *decide(context: PlannerContext, signal: AbortSignal) {
      const instance = options.taskInstance(context.task.id, context.task.seed)
      const { reasoning, calls } = nextDecision(instance, context.episode)
      for (const text of chunksOf(reasoning, Math.max(1, Math.ceil((pace * chunkMs) / 1_000)))) {
        yield { type: 'reasoning-delta', text }
        if (Number.isFinite(pace)) await wait(([...text].length / pace) * 1_000, undefined, { signal })
        else signal.throwIfAborted()
      }
      for (const call of calls) yield { type: 'call', ...call }
    },
  }
}

/**
 * What the plan does next, given the calls in the log with their results. Calls of a decision that were not made yet are
 * decided again. Throws `internal` when the log does not follow the plan.
 */
export function nextDecision(instance: TaskInstance, episode: FoldedEpisode): PlanStep {
  const made = episode.steps.flatMap((step) => step.calls)
  const plan = instance.plan()
  let cursor = 0
  let next = plan.next()
  while (!next.done) {
    const decision = next.value
    const taken = made.slice(cursor, cursor + decision.calls.length)
    for (const [index, call] of taken.entries()) {
      const planned = decision.calls[index]
      if (planned?.tool === call.tool) continue
      throw new TaplineError(
        'internal',
        `Call ${cursor + index} is ${call.tool}; the plan has ${planned?.tool ?? 'none'}.`,
      )
    }
    if (taken.length < decision.calls.length) return { ...decision, calls: decision.calls.slice(taken.length) }
    cursor += taken.length
    next = plan.next(taken.map(resultOf))
  }
  return {
    reasoning: 'My plan has no further step, so I end here.',
    calls: [{ tool: finish, arguments: { claim: 'I have nothing more to do.' } }],
  }
}

function resultOf(call: StepCall): ToolResult {
  if (!call.result) {
    return { ok: false, code: 'unknown-outcome', message: `The call of ${call.tool} has no result.`, data: null }
  }
  const { ok, code, message, data, delta } = call.result
  return { ok, code, message, data, delta }
}

function* chunksOf(text: string, length: number): Generator<string> {
  if (length === Infinity) {
    yield text
    return
  }
  const characters = [...text]
  for (let start = 0; start < characters.length; start += length) yield characters.slice(start, start + length).join('')
}
