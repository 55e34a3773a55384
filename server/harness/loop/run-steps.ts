import { z } from 'zod'
import { deviceGone, type EnvironmentSession, leaseLost } from '@/server/environment/contract'
import { askUser, finish, type Planner } from '@/server/harness/contract'
import { askUserTool, finishTool } from '@/server/harness/harness-tools'
import type { EpisodeServices } from '@/server/harness/run-episode'
import { TaplineError } from '@/server/platform/errors'
import { newId } from '@/server/platform/ids'
import type { ToolResult } from '@/server/tool/contract'
import { toExposedTool } from '@/server/tool/model/function-schema'
import type { FoldedEpisode, NewEpisodeEvent, Step } from '@/server/trajectory/contract'
import { speakReasoning } from '@/server/trajectory/speak-reasoning'
import { type Decision, decideStep } from './decide-step'
import type { EpisodeLog } from './episode-log'
import { finishEpisode, finishStopped } from './finish-episode'
import { type Halt, haltOf } from './halt'
import { keepInitialData, observeEnvironment } from './observe-environment'

export type StepServices = Omit<EpisodeServices, 'log'> & {
  episodeId: string
  log: EpisodeLog
  session: EnvironmentSession
}
export type StepsEnd = 'ended' | 'parked' | 'device-gone'

const instructionsVersion = 'harness-1'
const instructions =
  'You act on a phone for its user. Read before you write, ask when the request is open, and look at what came of each ' +
  'action. Call finish when the request is done or cannot be done, and say which.'

/** Assembles, decides, acts and feeds back until the episode ends, waits for a person, or the device goes away. */
export async function runSteps(services: StepServices, signal: AbortSignal): Promise<StepsEnd> {
  try {
    await takeUp(services, signal)
    for (;;) {
      const end = await runStep(services, signal)
      if (end !== null) return end
    }
  } catch (error) {
    // Of the world outside only the device is reached from here on; without it the loop starts over with a new session.
    if (!signal.aborted && error instanceof TaplineError && error.code === 'unavailable') return 'device-gone'
    throw error
  }
}

/** Looks at the device, and settles what an earlier worker left open: its calls are looked at, never repeated here. */
async function takeUp(services: StepServices, signal: AbortSignal): Promise<void> {
  const { log } = services
  const before = log.state()
  const isFirst = before.latest === null
  const observed = await observeEnvironment(services, signal)
  await log.append({
    actor: 'environment',
    body: isFirst ? { ...observed, initialData: await keepInitialData(services) } : observed,
  })
  const step = log.state().steps.at(-1)
  if (!step) return
  const news = newsFor(before)
  if (news) await log.append(news)
  for (const call of step.calls) {
    if (call.result || call.question) continue
    const text = `It is not known whether ${call.tool} took effect: the worker that called it was lost. Look before doing it again.`
    await log.append(
      { actor: 'harness', body: { type: 'fed-back', kind: 'unknown-outcome', text, callId: call.callId } },
      returned(call.callId, { ok: false, code: 'unknown-outcome', message: text, data: null }),
    )
  }
}

/** What the planner is told when an episode goes on that was left. */
function newsFor(before: FoldedEpisode): NewEpisodeEvent | null {
  const feedBack = (kind: 'resumed' | 'takeover', text: string): NewEpisodeEvent => ({
    actor: 'harness',
    body: { type: 'fed-back', kind, text, callId: null },
  })
  const control = before.controls.at(-1)
  if (control && control.seq > (before.latest?.seq ?? -1)) {
    if (control.action === 'hand-back') {
      return feedBack('takeover', 'A person had the device and handed it back: the screen may have changed.')
    }
    if (control.action === 'resume') return feedBack('resumed', 'The episode was paused and goes on.')
  }
  return before.status === 'running'
    ? feedBack('resumed', 'The connection was lost; the episode goes on from its log.')
    : null
}

/** One step; null when another follows. */
async function runStep(services: StepServices, signal: AbortSignal): Promise<StepsEnd | null> {
  const { log, session } = services
  signal.throwIfAborted()
  const halted = await obey(log)
  if (halted !== null) return halted
  const state = log.state()
  const last = state.steps.at(-1)
  const claim = last ? claimOf(last) : null
  if (claim !== null) {
    await finishEpisode(services, { claim, reason: null }, signal)
    return 'ended'
  }
  if (!last || isDecided(last)) {
    const budget = state.started?.budget.steps ?? 0
    if (state.steps.length >= budget) return endAtBudget(services, budget, signal)
    const tools = toolsOf(session).map(({ name, title, readOnly, destructive }) => ({
      name,
      title,
      readOnly,
      destructive,
    }))
    await log.append({ actor: 'harness', body: { type: 'context.assembled', instructionsVersion, tools } })
  }
  const decision = await decide(services, signal)
  if (decision === null) return null
  return act(services, decision, signal)
}

/** Carries out what people asked for since; null when the loop may go on. */
async function obey(log: EpisodeLog): Promise<StepsEnd | null> {
  await log.refresh()
  const halt: Halt = haltOf(log.state())
  if (halt === 'stop') await finishStopped(log)
  return halt === 'stop' ? 'ended' : halt
}

async function endAtBudget(services: StepServices, steps: number, signal: AbortSignal): Promise<StepsEnd> {
  const text = `The budget of ${steps} steps is used up.`
  await services.log.append({ actor: 'harness', body: { type: 'fed-back', kind: 'budget', text, callId: null } })
  await finishEpisode(services, { claim: null, reason: text }, signal)
  return 'ended'
}

/** Null when a person broke it off: the step stays open and is decided later. */
async function decide(services: StepServices, signal: AbortSignal): Promise<Decision | null> {
  const { db, clock, log, episodeId, session } = services
  const episode = log.state()
  const { started } = episode
  if (!started) throw new TaplineError('internal', `The log of episode ${episodeId} does not start.`)
  const planner: Planner = services.planners[started.agent.planner]
  const watch = watchFor(log, (halt) => halt !== null)
  try {
    return await decideStep({
      planner,
      context: {
        episode,
        task: { id: started.task.id, seed: started.task.seed },
        instructions,
        tools: toolsOf(session),
      },
      clock,
      signal: AbortSignal.any([signal, watch.signal]),
      speak: (text) => speakReasoning(db, { episodeId, afterSeq: log.state().lastSeq, text }),
    })
  } catch (error) {
    signal.throwIfAborted()
    if (watch.signal.aborted) return null
    throw error
  } finally {
    watch.close()
  }
}

/** Makes the calls of a decision one after the other: a phone needs order. */
async function act(services: StepServices, decision: Decision, signal: AbortSignal): Promise<StepsEnd | null> {
  const { log, session } = services
  const decided: NewEpisodeEvent[] = []
  if (decision.usage) {
    const { durationMs, usage } = decision
    decided.push({ actor: 'planner', body: { type: 'used', ...usage, durationMs } })
  }
  const { reasoning: text, durationMs } = decision
  decided.push({ actor: 'planner', body: { type: 'reasoned', text, durationMs } })
  if (decision.calls.length === 0) {
    const missing = 'There was no call. Decide on a call, or end with finish.'
    await log.append(...decided, {
      actor: 'harness',
      body: { type: 'fed-back', kind: 'recovery', text: missing, callId: null },
    })
    return null
  }
  const group = log.state().steps.length
  for (const [index, call] of decision.calls.entries()) {
    // Calls that were not begun are not in the log: a planner decides them again.
    if (index > 0 && haltOf(log.state()) !== null) break
    const callId = newId()
    const called: NewEpisodeEvent[] = [
      ...(index === 0 ? decided : []),
      { actor: 'planner', body: { type: 'called', callId, tool: call.tool, arguments: call.arguments, group } },
    ]
    if (call.tool === askUser || call.tool === finish) {
      await log.append(...called, ...harnessCall(callId, call))
      if (log.state().question !== null) break
      continue
    }
    await log.append(...called)
    const end = await callEnvironment(services, { callId, tool: call.tool, arguments: call.arguments }, signal)
    if (end !== null) return end
  }
  if (log.state().question === null) {
    await log.append({ actor: 'environment', body: await observeEnvironment({ ...services, session }, signal) })
  }
  return null
}

/** What calling one of the harness's own tools adds to the log. */
function harnessCall(callId: string, call: Decision['calls'][number]): NewEpisodeEvent[] {
  const definition = call.tool === askUser ? askUserTool : finishTool
  const parsed = definition.input.safeParse(call.arguments)
  if (!parsed.success) {
    const message = `${call.tool}: ${z.prettifyError(parsed.error)}`
    return [returned(callId, { ok: false, code: 'bad-arguments', message, data: null })]
  }
  const question = askUserTool.input.safeParse(call.arguments)
  if (call.tool === askUser && question.success) {
    return [{ actor: 'planner', body: { type: 'asked', callId, ...question.data } }]
  }
  return [returned(callId, { ok: true, code: 'ok', message: 'The result is being checked.', data: {} })]
}

async function callEnvironment(
  services: StepServices,
  call: { callId: string; tool: string; arguments: Record<string, unknown> },
  signal: AbortSignal,
): Promise<StepsEnd | null> {
  const { log, session } = services
  const { callId } = call
  const watch = watchFor(log, (halt) => halt === 'stop')
  try {
    const { result, touches, durationMs } = await session.call(call, AbortSignal.any([signal, watch.signal]))
    // Left without its result: the next session looks what became of it.
    if (result.code === deviceGone) return 'device-gone'
    const events: NewEpisodeEvent[] = touches.map((touch) => ({
      actor: 'environment',
      body: { type: 'touched', callId, ...touch, by: null },
    }))
    events.push(returned(callId, result, durationMs))
    if (!result.ok) {
      const text = `${call.tool} did not succeed (${result.code}): ${result.message}`
      events.push({ actor: 'harness', body: { type: 'fed-back', kind: 'recovery', text, callId } })
    }
    const isTaken = log.state().status === 'taken-over'
    if (result.code === leaseLost && !isTaken) {
      const note = 'Somebody else took the device.'
      events.push({ actor: 'harness', body: { type: 'control', action: 'take-over', by: null, note } })
    }
    await log.append(...events)
    return result.code === leaseLost ? obey(log) : null
  } catch (error) {
    signal.throwIfAborted()
    if (!watch.signal.aborted) throw error
    const message = 'It was stopped while this ran; whether it took effect is not known.'
    await log.append(returned(callId, { ok: false, code: 'unknown-outcome', message, data: null }))
    return obey(log)
  } finally {
    watch.close()
  }
}

function returned(callId: string, result: ToolResult, durationMs = 0): NewEpisodeEvent {
  const { ok, code, message, data } = result
  const delta = result.delta ?? null
  return { actor: 'environment', body: { type: 'returned', callId, ok, code, message, data, delta, durationMs } }
}

/** A signal that aborts when people's control of the episode calls for it. */
function watchFor(log: EpisodeLog, isReached: (halt: Halt) => boolean): { signal: AbortSignal; close(): void } {
  const controller = new AbortController()
  const check = () => {
    if (isReached(haltOf(log.state()))) controller.abort(new TaplineError('conflict', 'A person broke this off.'))
  }
  const close = log.onChange(check)
  check()
  return { signal: controller.signal, close }
}

function toolsOf(session: EnvironmentSession) {
  return [...session.tools(), toExposedTool(askUserTool), toExposedTool(finishTool)]
}

function isDecided(step: Step): boolean {
  return step.reasoning !== null || step.calls.length > 0
}

/** The claim of a step that called finish, not yet judged. */
function claimOf(step: Step): string | null {
  const call = step.calls.find((one) => one.tool === finish && one.result?.ok)
  return call ? (finishTool.input.safeParse(call.arguments).data?.claim ?? null) : null
}
