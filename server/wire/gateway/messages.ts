import { z } from 'zod'

/**
 * Text messages between the gateway and its clients on `/ws/device/<deviceId>` (viewers in a browser and the worker).
 * Video travels beside them as binary messages, see `frames.ts`.
 */

const pixel = z.number().int().min(0).max(16_384)
const size = z.number().int().min(1).max(16_384)
/** Echoed in the answer, so that a client can wait for its own input. */
const inputId = z.number().int().min(0).max(0xffff_ffff)

export const touchActions = ['down', 'move', 'up', 'cancel'] as const

/** A pointer event in pixels of the frame the sender saw; `width` and `height` are that frame's size. */
export const touchMessage = z.object({
  type: z.literal('touch'),
  id: inputId.optional(),
  action: z.enum(touchActions),
  pointerId: z.number().int().min(0).max(9),
  x: pixel,
  y: pixel,
  width: size,
  height: size,
})

/** Android key code and meta state, as in android.view.KeyEvent. */
export const keyMessage = z.object({
  type: z.literal('key'),
  id: inputId.optional(),
  action: z.enum(['down', 'up']),
  keycode: z.number().int().min(0).max(1023),
  metaState: z.number().int().min(0).max(0x7fff_ffff),
})

/** Text to enter where the focus is. The gateway chooses injection or clipboard paste. */
export const textMessage = z.object({
  type: z.literal('text'),
  id: inputId.optional(),
  text: z.string().min(1).max(4_000),
})

/** Wheel or trackpad scroll at a point, in notches; positive `vertical` scrolls content down (finger up is negative). */
export const scrollMessage = z.object({
  type: z.literal('scroll'),
  id: inputId.optional(),
  x: pixel,
  y: pixel,
  width: size,
  height: size,
  horizontal: z.number().min(-16).max(16),
  vertical: z.number().min(-16).max(16),
})

export const clientMessage = z.discriminatedUnion('type', [
  /** Asks for the right to touch. `preempt` lets a person with the operator role take it from an agent. */
  z.object({ type: z.literal('lease.take'), preempt: z.boolean().default(false) }),
  z.object({ type: z.literal('lease.renew') }),
  z.object({ type: z.literal('lease.release') }),
  /** Asks for a fresh configuration and key frame; rate-limited by the gateway. */
  z.object({ type: z.literal('reset-video') }),
  touchMessage,
  keyMessage,
  textMessage,
  scrollMessage,
])
export type ClientMessage = z.infer<typeof clientMessage>
export type TouchMessage = z.infer<typeof touchMessage>

export const leaseHolder = z.object({
  kind: z.enum(['human', 'agent']),
  /** Person id of a human, episode id of an agent. */
  id: z.string(),
  name: z.string(),
  /** Epoch ms; the gateway drops the lease then unless it is renewed. */
  expiresAt: z.number(),
  /** True for the connection that holds it. */
  mine: z.boolean(),
})
export type LeaseHolder = z.infer<typeof leaseHolder>

/** What the device's one scrcpy session is doing. `stalled` is judged by the viewer, not sent. */
export const sessionStates = ['connecting', 'waiting-for-key-frame', 'live', 'gone'] as const

export const serverMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), deviceId: z.string(), name: z.string(), mayDrive: z.boolean() }),
  z.object({ type: z.literal('state'), state: z.enum(sessionStates), reason: z.string().nullable() }),
  z.object({ type: z.literal('lease'), holder: leaseHolder.nullable() }),
  /** Answer to a message with an `id`: the input was written to the device after frame `frameNumber`. */
  z.object({ type: z.literal('input.done'), id: inputId, frameNumber: z.number().int() }),
  /** A refusal. `code`: not-allowed, lease-held, lease-lost, bad-message, rate-limited, device-gone. */
  z.object({ type: z.literal('refused'), code: z.string(), message: z.string(), id: inputId.optional() }),
])
export type ServerMessage = z.infer<typeof serverMessage>
