import { z } from 'zod'
import type { Database } from '@/db/client'
import { notify } from '@/server/platform/notify'
import { toStorableText } from './model/storable-json'

export const reasoningChannel = 'reasoning'

const reasoningNotice = z.object({ episodeId: z.string(), afterSeq: z.number().int(), text: z.string() })
export type ReasoningNotice = z.infer<typeof reasoningNotice>

/** A notice takes 8000 bytes; escapes can make six bytes of a character. */
const longestText = 1_100

/** Shows reasoning to whoever follows, as it is spoken; nothing is stored. The caller batches, at most 10 a second. */
export async function speakReasoning(db: Database, spoken: ReasoningNotice): Promise<void> {
  const characters = [...toStorableText(spoken.text)]
  for (let start = 0; start < characters.length; start += longestText) {
    const text = characters.slice(start, start + longestText).join('')
    await notify(db, reasoningChannel, JSON.stringify({ ...spoken, text }))
  }
}

/** The notice, or null for a payload that is not one. */
export function parseReasoningNotice(payload: string): ReasoningNotice | null {
  try {
    return reasoningNotice.safeParse(JSON.parse(payload)).data ?? null
  } catch {
    return null
  }
}
