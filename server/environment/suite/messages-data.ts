import { phoneData, type PhoneData, type Message } from '@/server/phone/state/phone-state'
import type { Check, Verdict } from '@/server/trajectory/contract'

/** The phone's `data`, checked. Throws ZodError when it is not of the virtual phone. */
export function parsePhoneData(data: unknown): PhoneData {
  return phoneData.parse(data)
}

export type AddedMessage = { threadId: string; message: Message }

/** Messages in `after` that were not in `before`, oldest first. */
export function addedMessages(before: PhoneData, after: PhoneData): AddedMessage[] {
  const known = new Set(before.messages.threads.flatMap((thread) => thread.messages.map((message) => message.id)))
  return after.messages.threads
    .flatMap((thread) => thread.messages.map((message) => ({ threadId: thread.id, message })))
    .filter(({ message }) => !known.has(message.id))
    .sort((one, other) => one.message.at - other.message.at)
}

/**
 * What a messaging task must leave alone: contacts, settings and drafts as before, no message changed or gone. Unread
 * marks and used-up faults may differ.
 */
export function checkNothingElse(before: PhoneData, after: PhoneData): Check {
  const kept = (data: PhoneData, ids: Set<string>) =>
    JSON.stringify({
      contacts: data.contacts,
      airplaneMode: data.system.airplaneMode,
      drafts: Object.entries(data.messages.drafts).sort(),
      messages: data.messages.threads.flatMap((thread) =>
        thread.messages.filter((message) => ids.has(message.id)).map((message) => [thread.id, message]),
      ),
    })
  const ids = new Set(before.messages.threads.flatMap((thread) => thread.messages.map((message) => message.id)))
  const passed = kept(before, ids) === kept(after, ids)
  return {
    id: 'nothing-else',
    title: 'Nothing else changed',
    passed,
    reason: passed
      ? 'Contacts, settings, drafts and earlier messages are as they were.'
      : 'A contact, a setting, a draft or an earlier message is not as it was.',
  }
}

/** Succeeded when every check passed; the reason is the first that did not, or the last. */
export function verdictOf(checks: Check[]): Verdict {
  const failed = checks.find((one) => !one.passed)
  return {
    outcome: failed ? 'failed' : 'succeeded',
    checks,
    reason: (failed ?? checks.at(-1))?.reason ?? 'Nothing was checked.',
  }
}
