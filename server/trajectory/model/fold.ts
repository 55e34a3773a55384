import type {
  EpisodeEvent,
  EpisodeStatus,
  FoldedEpisode,
  Observation,
  Step,
  StepCall,
} from '@/server/trajectory/contract'

/** The fold of an empty log. */
export function emptyEpisode(): FoldedEpisode {
  return {
    status: 'queued',
    started: null,
    startedAt: null,
    finished: null,
    turns: [],
    steps: [],
    controls: [],
    question: null,
    latest: null,
    totals: { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 },
    lastSeq: -1,
  }
}

/**
 * Folds a log, or any prefix of one, to the steps it tells. Steps before the last never change when the log grows.
 * Throws RangeError when `seq` has a gap.
 */
export function foldEpisode(events: Iterable<EpisodeEvent>): FoldedEpisode {
  let state = emptyEpisode()
  for (const event of events) state = foldEvent(state, event)
  return state
}

/**
 * The fold with one more event; the given state is left as it is. An event that was folded already (a follower that
 * caught up twice) changes nothing. Throws RangeError when events are missing in between.
 */
export function foldEvent(state: FoldedEpisode, event: EpisodeEvent): FoldedEpisode {
  if (event.seq <= state.lastSeq) return state
  if (event.seq !== state.lastSeq + 1) {
    throw new RangeError(`Event ${event.seq} of episode ${event.episodeId} follows ${state.lastSeq}: some are missing`)
  }
  const next = foldBody({ ...state, lastSeq: event.seq }, event)
  return { ...next, status: nextStatus(state.status, event, next) }
}

function foldBody(state: FoldedEpisode, event: EpisodeEvent): FoldedEpisode {
  const { body, seq, at } = event
  switch (body.type) {
    case 'episode.started':
      return { ...state, started: body, startedAt: at }
    case 'turn.started': {
      const turn = { text: body.text, by: body.by?.name ?? null, at, firstStep: state.steps.length + 1 }
      return { ...state, turns: [...state.turns, turn] }
    }
    case 'context.assembled':
      return openStep(state, event, { context: body })
    case 'observed':
      return foldObservation(state, { ...body, seq, at })
    case 'reasoned':
      return changeStep(state, event, (step) => ({
        ...step,
        reasoning: { text: body.text, durationMs: body.durationMs, at },
      }))
    case 'called': {
      const call: StepCall = {
        callId: body.callId,
        tool: body.tool,
        arguments: body.arguments,
        group: body.group,
        calledAt: at,
        result: null,
        touches: [],
        question: null,
      }
      return changeStep(state, event, (step) => ({ ...step, endedAt: null, calls: [...step.calls, call] }))
    }
    case 'touched':
      return changeCall(state, event, body.callId, (call) => ({ ...call, touches: [...call.touches, body] }))
    case 'returned': {
      const { ok, code, message, data, delta, durationMs } = body
      const result = { ok, code, message, data, delta, durationMs, at }
      const returned = changeCall(state, event, body.callId, (call) => ({ ...call, result }))
      return changeLastStep(returned, (step) =>
        step.calls.every((call) => call.result) ? { ...step, endedAt: at } : step,
      )
    }
    case 'fed-back':
      return changeStep(state, event, (step) => ({ ...step, feedback: [...step.feedback, body] }))
    case 'asked': {
      const { callId, question: text, options } = body
      const asked = changeCall(state, event, callId, (call) => ({ ...call, question: { text, options, answer: null } }))
      return { ...asked, question: { callId, text, options, askedAt: at } }
    }
    case 'answered': {
      const answer = { text: body.text, by: body.by.name, at }
      const answered = changeCall(state, event, body.callId, (call) =>
        call.question ? { ...call, question: { ...call.question, answer } } : call,
      )
      return { ...answered, question: state.question?.callId === body.callId ? null : state.question }
    }
    case 'control': {
      const record = { action: body.action, by: body.by?.name ?? null, at, seq, note: body.note }
      return touchLastStep({ ...state, controls: [...state.controls, record] }, event)
    }
    case 'used': {
      const { inputTokens, outputTokens, costMicroUsd, durationMs } = body
      const used = changeStep(state, event, (step) => ({
        ...step,
        usage: {
          inputTokens: (step.usage?.inputTokens ?? 0) + inputTokens,
          outputTokens: (step.usage?.outputTokens ?? 0) + outputTokens,
          costMicroUsd: (step.usage?.costMicroUsd ?? 0) + costMicroUsd,
          durationMs: (step.usage?.durationMs ?? 0) + durationMs,
        },
      }))
      const { totals } = state
      return {
        ...used,
        totals: {
          inputTokens: totals.inputTokens + inputTokens,
          outputTokens: totals.outputTokens + outputTokens,
          costMicroUsd: totals.costMicroUsd + costMicroUsd,
        },
      }
    }
    case 'episode.finished': {
      const finished = { ...state, finished: { ...body, at }, question: null }
      return changeLastStep(touchLastStep(finished, event), (step) => ({ ...step, endedAt: step.endedAt ?? at }))
    }
    default: {
      const unknown: never = body
      throw new RangeError(`Unknown event ${JSON.stringify(unknown)}`)
    }
  }
}

function openStep(state: FoldedEpisode, event: EpisodeEvent, part: Partial<Step>): FoldedEpisode {
  const closed = changeLastStep(state, (step) => ({ ...step, endedAt: step.endedAt ?? event.at }))
  const step: Step = {
    number: state.steps.length + 1,
    turn: Math.max(0, state.turns.length - 1),
    firstSeq: event.seq,
    lastSeq: event.seq,
    startedAt: event.at,
    endedAt: null,
    context: null,
    before: state.latest,
    after: null,
    reasoning: null,
    calls: [],
    feedback: [],
    usage: null,
    ...part,
  }
  return { ...closed, steps: [...closed.steps, step] }
}

/** The first screen after a step's calls is its `after`; until the planner has decided, a newer screen is its `before`. */
function foldObservation(state: FoldedEpisode, observation: Observation): FoldedEpisode {
  return changeLastStep({ ...state, latest: observation }, (step) => {
    const seen = { ...step, lastSeq: observation.seq }
    if (step.calls.length > 0) {
      if (step.after) return seen
      return { ...seen, after: observation, endedAt: step.endedAt === null ? null : observation.at }
    }
    return step.reasoning ? seen : { ...seen, before: observation }
  })
}

function changeLastStep(state: FoldedEpisode, change: (step: Step) => Step): FoldedEpisode {
  const last = state.steps.at(-1)
  return last ? { ...state, steps: [...state.steps.slice(0, -1), change(last)] } : state
}

function touchLastStep(state: FoldedEpisode, event: EpisodeEvent): FoldedEpisode {
  return changeLastStep(state, (step) => ({ ...step, lastSeq: event.seq }))
}

/** Changes the open step; logs from elsewhere may lack `context.assembled`, so a first decision opens one. */
function changeStep(state: FoldedEpisode, event: EpisodeEvent, change: (step: Step) => Step): FoldedEpisode {
  const open = state.steps.length === 0 ? openStep(state, event, {}) : touchLastStep(state, event)
  return changeLastStep(open, change)
}

function changeCall(
  state: FoldedEpisode,
  event: EpisodeEvent,
  callId: string | null,
  change: (call: StepCall) => StepCall,
): FoldedEpisode {
  return changeLastStep(touchLastStep(state, event), (step) => ({
    ...step,
    calls: step.calls.map((call) => (call.callId === callId ? change(call) : call)),
  }))
}

/** `next` is the state with the event folded in, its status still that of before. */
function nextStatus(status: EpisodeStatus, event: EpisodeEvent, next: FoldedEpisode): EpisodeStatus {
  if (next.finished) return next.finished.status
  const { body } = event
  const released = next.question ? 'waiting' : 'queued'
  switch (body.type) {
    case 'episode.started':
      return 'queued'
    case 'control':
      if (body.action === 'pause') return 'paused'
      if (body.action === 'take-over') return 'taken-over'
      return body.action === 'stop' ? status : released
    case 'asked':
      return status === 'queued' || status === 'running' ? 'waiting' : status
    case 'answered':
      return status === 'waiting' ? released : status
    case 'context.assembled':
    case 'observed':
    case 'reasoned':
    case 'called':
    case 'touched':
    case 'fed-back':
      return status === 'queued' ? 'running' : status
    default:
      return status
  }
}
