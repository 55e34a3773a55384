import { z } from 'zod'
import { TaplineError } from '@/server/platform/errors'
import { canonicalJson } from './hash'
import { phoneState } from './phone-state'
import type { PhoneState } from './phone-state'

const phoneSnapshot = z.strictObject({ format: z.literal('tapline-phone'), version: z.literal(1), state: phoneState })

/** The state as a text that `decodeSnapshot` takes; equal states give equal texts. */
export function encodeSnapshot(state: PhoneState): string {
  return canonicalJson({ format: 'tapline-phone', version: 1, state })
}

/** Throws TaplineError `bad-input` that names the first wrong place when the text is not a snapshot of a phone. */
export function decodeSnapshot(snapshot: string): PhoneState {
  let parsed: unknown
  try {
    parsed = JSON.parse(snapshot)
  } catch (cause) {
    throw new TaplineError('bad-input', 'The phone snapshot is not JSON.', { cause })
  }
  const result = phoneSnapshot.safeParse(parsed)
  if (result.success) return result.data.state
  const issue = result.error.issues[0]
  const place = issue?.path.join('.') || 'its top'
  throw new TaplineError('bad-input', `The phone snapshot is wrong at ${place}: ${issue?.message ?? 'unknown'}.`)
}
