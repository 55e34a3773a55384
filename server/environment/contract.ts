import type { Point, Verdict } from '@/server/trajectory/contract'
import type { ExposedTool, ToolCall, ToolResult } from '@/server/tool/contract'

/** What `observe` saw. Bytes become artefacts in the log. */
export type EnvironmentObservation = {
  /** PNG or WebP bytes of the screen; null where the screen may not be read. */
  screen: { bytes: Uint8Array; mediaType: string } | null
  /** uiautomator XML. */
  tree: string | null
  app: string | null
  activity: string | null
  width: number
  height: number
  rotation: number
  /** SHA-256 of the whole phone state; null on a device without readable state. */
  stateHash: string | null
  /** The phone's own clock, epoch ms. */
  phoneAt: number | null
  /** The last frame of the live stream at that moment. */
  frameNumber: number | null
}

/** A finger on the glass as part of a call; goes to the log as `touched`. */
export type ExecutedTouch = { gesture: 'tap' | 'swipe' | 'long-press'; points: Point[]; executed: Point[] }

export type CallOutcome = { result: ToolResult; touches: ExecutedTouch[]; durationMs: number }

/** What the log says beyond the phone's state: questions put to the person, with their answers, in order. */
export type CheckEvidence = { answers: { question: string; text: string }[] }

/** One open world a planner acts on. Whoever opens it closes it. */
export type EnvironmentSession = {
  /** The phone's `data` after set-up, JSON; null where it can't be read. Kept with the episode, to reopen with it. */
  readonly initialData: unknown
  tools(): ExposedTool[]
  /** Never throws for a failing tool: the envelope says so. Rejects only when aborted. */
  call(call: ToolCall, signal: AbortSignal): Promise<CallOutcome>
  observe(signal: AbortSignal): Promise<EnvironmentObservation>
  /** Compares the state now with the state at the start. */
  verify(evidence: CheckEvidence, signal: AbortSignal): Promise<Verdict>
  close(): Promise<void>
}

/** Codes of results that end the session: somebody else holds the device, or it does not answer any more. */
export const leaseLost = 'lease-lost'
export const deviceGone = 'device-gone'

export type EnvironmentOpening = {
  episodeId: string
  task: TaskInstance
  device: { id: string; name: string; address: string }
  /** Null for a new episode: the device is reset and set up. Else it is taken as it is. */
  resume: { initialData: unknown } | null
}
export type OpenEnvironment = (opening: EnvironmentOpening, signal: AbortSignal) => Promise<EnvironmentSession>

/** One instance of a task: a template with its parameters drawn from a seed. */
export type TaskInstance = {
  id: string
  title: string
  seed: number
  /** What the user says. */
  request: string
  budget: { steps: number }
  /** App tools shown to the planner, besides those every device has. */
  tools: string[]
  /** Initial `data` of the phone, from the data of a reset with this seed. */
  setUp(data: unknown): unknown
  /** What the user answers when asked, where the request leaves something open. */
  expectedAnswer: string | null
  /** Pure: judges the final `data` against the initial one. A person who answered otherwise decides what is right. */
  check(initial: unknown, final: unknown, evidence: CheckEvidence): Verdict
  /** The gold plan. See `PlanStep`. */
  plan(): Generator<PlanStep, void, ToolResult[]>
}

/**
 * A decision of a gold plan; it receives the results of its calls. A question is the call `ask_user`, whose result has
 * `data.answer`; the last decision calls `finish`. A result may have the code `unknown-outcome`: look before repeating.
 */
export type PlanStep = { reasoning: string; calls: { tool: string; arguments: Record<string, unknown> }[] }

export type TaskTemplate = {
  id: string
  title: string
  /** Draws parameters from the seed; the same seed gives the same instance. */
  instantiate(seed: number): TaskInstance
}
