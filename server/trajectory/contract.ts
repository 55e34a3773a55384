import { z } from 'zod'
import { exposedTool, stateDelta, toolCall } from '@/server/tool/contract'

export const plannerKinds = ['demonstration'] as const
export const plannerKind = z.enum(plannerKinds)
export type PlannerKind = z.infer<typeof plannerKind>

/**
 * `queued` and `running` have a job; `waiting` (a question), `paused` and `taken-over` wait for a person without one;
 * the rest are final: the log of a finished episode never changes.
 */
export const episodeStatuses = [
  'queued',
  'running',
  'waiting',
  'paused',
  'taken-over',
  'succeeded',
  'failed',
  'unverified',
  'stopped',
  'interrupted',
] as const
export const episodeStatus = z.enum(episodeStatuses)
export type EpisodeStatus = z.infer<typeof episodeStatus>

/** Whether the log can still grow. */
export function isLive(status: EpisodeStatus): boolean {
  return ['queued', 'running', 'waiting', 'paused', 'taken-over'].includes(status)
}

export const actors = ['planner', 'harness', 'environment', 'user', 'human', 'subagent'] as const
export const actor = z.enum(actors)
export type Actor = z.infer<typeof actor>

/** SHA-256 of a blob, lower-case hex. */
export const artefactHash = z.string().regex(/^[0-9a-f]{64}$/)

/** A point with the space it is measured in; `model/coordinates.ts` converts. */
export const point = z.object({
  x: z.number(),
  y: z.number(),
  /** `pixels` of a `width` x `height` screen, or `fraction` of it (0 to 1). */
  space: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('pixels'), width: z.number().int().positive(), height: z.number().int().positive() }),
    z.object({ kind: z.literal('fraction') }),
  ]),
})
export type Point = z.infer<typeof point>

export const check = z.object({
  id: z.string(),
  title: z.string(),
  passed: z.boolean(),
  /** What was expected and what was found, in a sentence. */
  reason: z.string(),
})
export type Check = z.infer<typeof check>

/** What the checker said; `unverified` where the device's state can't be read. */
export const verdict = z.object({
  outcome: z.enum(['succeeded', 'failed', 'unverified']),
  checks: z.array(check),
  reason: z.string(),
})
export type Verdict = z.infer<typeof verdict>

export const person = z.object({ id: z.string(), name: z.string() })

export const episodeEventBody = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('episode.started'),
    task: z.object({ id: z.string(), title: z.string(), seed: z.number().int() }),
    request: z.string(),
    agent: z.object({ planner: plannerKind, isModel: z.boolean(), version: z.string() }),
    device: z.object({ id: z.string(), serial: z.string(), name: z.string() }).nullable(),
    budget: z.object({ steps: z.number().int().positive() }),
    by: person,
  }),
  z.object({ type: z.literal('turn.started'), text: z.string(), by: person.nullable() }),
  z.object({
    type: z.literal('context.assembled'),
    instructionsVersion: z.string(),
    tools: z.array(exposedTool.pick({ name: true, title: true, readOnly: true, destructive: true })),
  }),
  z.object({
    type: z.literal('observed'),
    screen: artefactHash.nullable(),
    tree: artefactHash.nullable(),
    app: z.string().nullable(),
    activity: z.string().nullable(),
    width: z.number().int(),
    height: z.number().int(),
    rotation: z.number().int(),
    stateHash: z.string().nullable(),
    /** The phone's own clock, epoch ms. */
    phoneAt: z.number().nullable(),
    frameNumber: z.number().int().nullable(),
    /**
     * Only on the first observation of an episode: the phone's `data` after set-up, a JSON artefact; null where it can't
     * be read. Its presence says that the environment was set up, so that a later worker does not set it up again.
     */
    initialData: artefactHash.nullable().optional(),
  }),
  z.object({ type: z.literal('reasoned'), text: z.string(), durationMs: z.number() }),
  z.object({
    type: z.literal('called'),
    ...toolCall.shape,
    /** Calls decided together share it. */
    group: z.number().int(),
  }),
  z.object({
    type: z.literal('touched'),
    callId: z.string().nullable(),
    gesture: z.enum(['tap', 'swipe', 'long-press']),
    /** What was asked for, in its own space. */
    points: z.array(point),
    /** Device pixels that were touched. */
    executed: z.array(point),
    by: person.nullable(),
  }),
  z.object({
    type: z.literal('returned'),
    callId: z.string(),
    ok: z.boolean(),
    code: z.string(),
    message: z.string(),
    data: z.unknown(),
    delta: stateDelta,
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal('fed-back'),
    kind: z.enum(['recovery', 'budget', 'resumed', 'unknown-outcome', 'takeover']),
    text: z.string(),
    callId: z.string().nullable(),
  }),
  z.object({
    type: z.literal('asked'),
    callId: z.string(),
    question: z.string(),
    options: z.array(z.string()),
  }),
  z.object({ type: z.literal('answered'), callId: z.string(), text: z.string(), by: person }),
  z.object({
    type: z.literal('control'),
    action: z.enum(['pause', 'resume', 'take-over', 'hand-back', 'stop']),
    by: person.nullable(),
    note: z.string().nullable(),
  }),
  z.object({
    type: z.literal('used'),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    costMicroUsd: z.number().int(),
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal('episode.finished'),
    status: z.enum(['succeeded', 'failed', 'unverified', 'stopped', 'interrupted']),
    claim: z.string().nullable(),
    verdict: verdict.nullable(),
    reason: z.string(),
  }),
])
export type EpisodeEventBody = z.infer<typeof episodeEventBody>

/** One line of the log. `at` is wall time in epoch ms, `seq` dense from 0. */
export const episodeEvent = z.object({
  episodeId: z.string(),
  seq: z.number().int().min(0),
  at: z.number(),
  actor,
  body: episodeEventBody,
})
export type EpisodeEvent = z.infer<typeof episodeEvent>
export type NewEpisodeEvent = { actor: Actor; body: EpisodeEventBody; at?: number }

/** What a follower receives: the log, and reasoning as it is spoken (never stored). */
export type FollowedItem =
  | { type: 'event'; event: EpisodeEvent }
  | { type: 'reasoning-delta'; afterSeq: number; text: string }

/** One planner decision with its calls, results and feedback: what the pages draw. Made by `model/fold.ts`. */
export type StepCall = {
  callId: string
  tool: string
  arguments: Record<string, unknown>
  group: number
  calledAt: number
  result: {
    ok: boolean
    code: string
    message: string
    data: unknown
    delta: z.infer<typeof stateDelta>
    durationMs: number
    at: number
  } | null
  touches: Extract<EpisodeEventBody, { type: 'touched' }>[]
  question: { text: string; options: string[]; answer: { text: string; by: string; at: number } | null } | null
}

export type Observation = Extract<EpisodeEventBody, { type: 'observed' }> & { seq: number; at: number }

export type Step = {
  /** From 1. */
  number: number
  /** Index in `Episode.turns`. */
  turn: number
  firstSeq: number
  lastSeq: number
  startedAt: number
  endedAt: number | null
  context: Extract<EpisodeEventBody, { type: 'context.assembled' }> | null
  /** The screen the planner saw, and the first screen after its calls. */
  before: Observation | null
  after: Observation | null
  reasoning: { text: string; durationMs: number; at: number } | null
  calls: StepCall[]
  feedback: Extract<EpisodeEventBody, { type: 'fed-back' }>[]
  usage: { inputTokens: number; outputTokens: number; costMicroUsd: number; durationMs: number } | null
}

export type Turn = { text: string; by: string | null; at: number; firstStep: number }

export type ControlRecord = {
  action: Extract<EpisodeEventBody, { type: 'control' }>['action']
  by: string | null
  at: number
  seq: number
  note: string | null
}

/** An episode as folded from its log, or from any prefix of it. */
export type FoldedEpisode = {
  status: EpisodeStatus
  started: Extract<EpisodeEventBody, { type: 'episode.started' }> | null
  startedAt: number | null
  finished: (Extract<EpisodeEventBody, { type: 'episode.finished' }> & { at: number }) | null
  turns: Turn[]
  steps: Step[]
  controls: ControlRecord[]
  /** The open question, if any. */
  question: { callId: string; text: string; options: string[]; askedAt: number } | null
  /** The last screen seen. */
  latest: Observation | null
  totals: { inputTokens: number; outputTokens: number; costMicroUsd: number }
  lastSeq: number
}

/** What the list of episodes shows of one. */
export type EpisodeSummary = {
  id: string
  status: EpisodeStatus
  taskId: string
  seed: number
  title: string
  request: string
  planner: PlannerKind
  device: { id: string; name: string } | null
  startedBy: { id: string; name: string }
  stepCount: number
  costMicroUsd: number
  claim: string | null
  verdict: Verdict | null
  createdAt: number
  finishedAt: number | null
}

export const episodeSorts = ['created', 'finished', 'steps', 'cost', 'title'] as const
export const listEpisodesInput = z.object({
  statuses: z.array(episodeStatus).max(episodeStatuses.length).default([]),
  deviceId: z.uuid().optional(),
  /** Words of the title or the request. */
  text: z.string().trim().max(200).default(''),
  sort: z.enum(episodeSorts).default('created'),
  direction: z.enum(['ascending', 'descending']).default('descending'),
  /** `nextCursor` of the page before. */
  cursor: z.string().max(500).nullish(),
  limit: z.number().int().min(1).max(200).default(50),
})
export type ListEpisodesInput = z.infer<typeof listEpisodesInput>

/** `total` counts every episode the filter lets through. */
export type EpisodePage = { episodes: EpisodeSummary[]; nextCursor: string | null; total: number }

/** A stretch of a log; `nextSeq` asks for the one after it, null at the end of what is stored. */
export type EpisodeReading = { episode: EpisodeSummary; events: EpisodeEvent[]; nextSeq: number | null }
