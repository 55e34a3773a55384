import { z } from 'zod'
import type { ToolDefinition, ToolResult } from '@/server/tool/contract'
import type { Rect } from './ui/contract'

/** The virtual phone's screen in device pixels. */
export const screenWidth = 540
export const screenHeight = 1200

/**
 * Everything that can happen to a phone. `reduce(state, event)` is pure; time enters only as `tick`.
 * The list of events since a snapshot is the exact replay.
 */
export const phoneEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('tick'), ms: z.number().int().positive() }),
  z.object({
    type: z.literal('pointer'),
    action: z.enum(['down', 'move', 'up', 'cancel']),
    pointerId: z.number().int(),
    x: z.number(),
    y: z.number(),
  }),
  /** Android key code (4 back, 3 home, 187 recents, 66 enter, 67 delete, letters, …). */
  z.object({
    type: z.literal('key'),
    action: z.enum(['down', 'up']),
    keycode: z.number().int(),
    metaState: z.number().int(),
  }),
  /** Text committed where the focus is; refused silently without a focus, as Android does. */
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('scroll'), x: z.number(), y: z.number(), vertical: z.number() }),
  /** `package/activity`, or a package alone for its launcher activity. */
  z.object({ type: z.literal('start-app'), component: z.string() }),
  z.object({ type: z.literal('tool'), name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
])
export type PhoneEvent = z.infer<typeof phoneEvent>

/** A running phone: the state with its doors. One process has one. */
export type PhoneMachine = {
  readonly width: number
  readonly height: number
  /** The whole state `{ data, ui, clock }`, JSON. */
  state(): { data: unknown; ui: unknown; clock: unknown }
  /** Touch door. Never throws for an event that leads nowhere. */
  dispatch(event: PhoneEvent): void
  /** Tools door. Bad arguments and unknown tools come back in the envelope; `delta` tells what of `data` changed. */
  callTool(name: string, input: unknown): ToolResult
  tools(): readonly ToolDefinition[]
  reset(seed: number): void
  snapshot(): string
  /** Throws TaplineError `bad-input` and changes nothing when the snapshot is not one. */
  restore(snapshot: string): void
  /** `dataHash` is what checks compare, `stateHash` covers ui and clock too. SHA-256, hex. */
  hashes(): { dataHash: string; stateHash: string }
  /** The phone's own time, epoch ms. */
  now(): number
  foreground(): { packageName: string; activity: string }
  /** Package and launcher activity of every app, for `am start` and `pm list packages`. */
  packages(): readonly { packageName: string; activity: string; label: string }[]
  /** uiautomator dump of what is on screen. */
  hierarchyXml(): string
  /** Something moves: tick at 60 Hz. */
  isAnimating(): boolean
  clipboard(): string
  setClipboard(text: string): void
  /** Called after every change of state; returns the unsubscriber. */
  onChange(listener: () => void): () => void
  readonly screen: PhoneScreen
}

export type PhoneScreen = {
  /** Repaints what changed since the last call; returns the damaged rectangles (none when nothing did). */
  render(): Rect[]
  /** RGBA bytes of a rectangle as last rendered, rows packed. */
  rgba(rect: Rect): Uint8ClampedArray
  png(): Buffer
}
