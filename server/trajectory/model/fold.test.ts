import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EpisodeEvent, EpisodeEventBody } from '@/server/trajectory/contract'
import { emptyEpisode, foldEpisode, foldEvent } from './fold'

const by = { id: 'p1', name: 'Ann' }

const started: EpisodeEventBody = {
  type: 'episode.started',
  task: { id: 't', title: 'T', seed: 1 },
  request: 'Do it',
  agent: { planner: 'demonstration', isModel: false, version: '1' },
  device: null,
  budget: { steps: 10 },
  by,
}
const context: EpisodeEventBody = { type: 'context.assembled', instructionsVersion: '1', tools: [] }
const reasoned: EpisodeEventBody = { type: 'reasoned', text: 'Because', durationMs: 5 }
const called = (callId: string): EpisodeEventBody => ({ type: 'called', callId, tool: 'tap', arguments: {}, group: 1 })
const returned = (callId: string, ok = true): EpisodeEventBody => ({
  type: 'returned',
  callId,
  ok,
  code: ok ? 'ok' : 'not-found',
  message: '',
  data: null,
  delta: null,
  durationMs: 1,
})
const observed: EpisodeEventBody = {
  type: 'observed',
  screen: null,
  tree: null,
  app: null,
  activity: null,
  width: 1,
  height: 1,
  rotation: 0,
  stateHash: null,
  phoneAt: null,
  frameNumber: null,
}
const asked = (callId: string): EpisodeEventBody => ({ type: 'asked', callId, question: 'Which?', options: ['a'] })
const answered = (callId: string): EpisodeEventBody => ({ type: 'answered', callId, text: 'a', by })
const control = (action: 'pause' | 'resume' | 'take-over' | 'hand-back' | 'stop'): EpisodeEventBody => ({
  type: 'control',
  action,
  by,
  note: null,
})
const finished: EpisodeEventBody = {
  type: 'episode.finished',
  status: 'succeeded',
  claim: 'Done',
  verdict: null,
  reason: 'r',
}

function log(...bodies: EpisodeEventBody[]): EpisodeEvent[] {
  return bodies.map((body, seq) => ({ episodeId: 'e', seq, at: 1_000 + seq, actor: 'harness', body }))
}

/** Logs as the loop writes them: steps with some calls each, looked at afterwards, with control in between. */
const logs = fc
  .array(
    fc.record({
      calls: fc.array(fc.boolean(), { maxLength: 3 }),
      asks: fc.boolean(),
      feedback: fc.boolean(),
      isPaused: fc.boolean(),
      cost: fc.nat(1_000),
    }),
    { maxLength: 6 },
  )
  .chain((steps) => fc.boolean().map((isFinished) => ({ steps, isFinished })))
  .map(({ steps, isFinished }) => {
    const bodies: EpisodeEventBody[] = [started, { type: 'turn.started', text: 'Do it', by }, observed]
    for (const [index, step] of steps.entries()) {
      bodies.push(context)
      bodies.push({ type: 'used', inputTokens: 1, outputTokens: 2, costMicroUsd: step.cost, durationMs: 1 }, reasoned)
      for (const [number, ok] of step.calls.entries()) {
        const callId = `${index}-${number}`
        bodies.push(called(callId), returned(callId, ok))
      }
      if (step.asks) bodies.push(called(`q${index}`), asked(`q${index}`), answered(`q${index}`), returned(`q${index}`))
      if (step.isPaused) bodies.push(control('pause'), control('resume'))
      bodies.push(observed)
      if (step.feedback) bodies.push({ type: 'fed-back', kind: 'recovery', text: 'x', callId: null })
    }
    if (isFinished) bodies.push(finished)
    return log(...bodies)
  })

describe('foldEpisode', () => {
  test('steps before the last of a prefix are exactly those of the whole log', () => {
    fc.assert(
      fc.property(logs, fc.nat(), (events, at) => {
        const prefix = foldEpisode(events.slice(0, at % (events.length + 1)))
        const whole = foldEpisode(events)
        expect(prefix.steps.slice(0, -1)).toEqual(whole.steps.slice(0, Math.max(0, prefix.steps.length - 1)))
      }),
    )
  })

  test('every event of a step lies between its first and last seq, and steps do not overlap', () => {
    fc.assert(
      fc.property(logs, (events) => {
        const { steps } = foldEpisode(events)
        for (const [index, step] of steps.entries()) {
          expect(step.number).toBe(index + 1)
          expect(step.firstSeq).toBeLessThanOrEqual(step.lastSeq)
          const next = steps[index + 1]
          if (next) expect(step.lastSeq).toBeLessThan(next.firstSeq)
        }
      }),
    )
  })

  test('costs add up, and folding an event twice changes nothing', () => {
    fc.assert(
      fc.property(logs, (events) => {
        const whole = foldEpisode(events)
        const spent = events.reduce((sum, { body }) => sum + (body.type === 'used' ? body.costMicroUsd : 0), 0)
        expect(whole.totals.costMicroUsd).toBe(spent)
        expect(whole.steps.reduce((sum, step) => sum + (step.usage?.costMicroUsd ?? 0), 0)).toBe(spent)
        const last = events.at(-1)
        if (last) expect(foldEvent(whole, last)).toBe(whole)
      }),
    )
  })

  test('a step has the screen before it and the first one after its calls', () => {
    const { steps } = foldEpisode(
      log(started, observed, context, reasoned, called('a'), returned('a'), observed, observed, context),
    )
    expect(steps[0]?.before?.seq).toBe(1)
    expect(steps[0]?.after?.seq).toBe(6)
    expect(steps[1]?.before?.seq).toBe(7)
    expect(steps[0]?.endedAt).toBe(1_006)
  })

  test('status follows control, questions and the end', () => {
    const statuses = (...bodies: EpisodeEventBody[]) =>
      log(...bodies).map((_, index, events) => foldEpisode(events.slice(0, index + 1)).status)
    expect(statuses(started, observed, context, called('q'), asked('q'), answered('q'), returned('q'))).toEqual([
      'queued',
      'running',
      'running',
      'running',
      'waiting',
      'queued',
      'queued',
    ])
    expect(
      statuses(started, context, called('q'), asked('q'), control('pause'), answered('q'), control('resume')),
    ).toEqual(['queued', 'running', 'running', 'waiting', 'paused', 'paused', 'queued'])
    expect(statuses(started, context, called('q'), asked('q'), control('take-over'), control('hand-back'))).toEqual([
      'queued',
      'running',
      'running',
      'waiting',
      'taken-over',
      'waiting',
    ])
    expect(statuses(started, context, control('pause'), observed, control('resume'), observed, finished)).toEqual([
      'queued',
      'running',
      'paused',
      'paused',
      'queued',
      'running',
      'succeeded',
    ])
  })

  test('an open question is told until it is answered', () => {
    const open = foldEpisode(log(started, context, called('q'), asked('q')))
    expect(open.question).toEqual({ callId: 'q', text: 'Which?', options: ['a'], askedAt: 1_003 })
    const closed = foldEpisode(log(started, context, called('q'), asked('q'), answered('q')))
    expect(closed.question).toBeNull()
    expect(closed.steps[0]?.calls[0]?.question?.answer?.text).toBe('a')
  })

  test('refuses a log with a gap', () => {
    const [first, , third] = log(started, observed, context)
    expect(() => foldEpisode([first, third].filter((event) => event !== undefined))).toThrow(RangeError)
    expect(() => foldEvent(emptyEpisode(), log(started, observed)[1]!)).toThrow(/missing/)
  })
})
