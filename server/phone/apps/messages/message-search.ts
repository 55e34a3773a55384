import { contactOf } from '@/server/phone/state/phone-state'
import type { Contact, Message, PhoneData, Thread } from '@/server/phone/state/phone-state'

/** A row of the thread list; `thread` is null for a draft to someone nothing was sent to yet. */
export type Conversation = { contact: Contact; thread: Thread | null; last: Message | null; draft: string | null }

/** Conversations, the one with the latest message first; drafts without a message come before all. */
export function conversations(data: PhoneData): Conversation[] {
  const known = new Set(data.messages.threads.map((thread) => thread.contactId))
  const started = data.messages.threads.map((thread) => ({ contactId: thread.contactId, thread }))
  const draftsOnly = Object.keys(data.messages.drafts)
    .filter((contactId) => !known.has(contactId))
    .map((contactId) => ({ contactId, thread: null }))
  return [...draftsOnly, ...started]
    .flatMap(({ contactId, thread }): Conversation[] => {
      const contact = contactOf(data, contactId)
      if (contact === null) return []
      return [
        { contact, thread, last: thread?.messages.at(-1) ?? null, draft: data.messages.drafts[contactId] ?? null },
      ]
    })
    .sort((one, other) => (other.last?.at ?? Infinity) - (one.last?.at ?? Infinity) || 0)
}

/**
 * Contacts with a word of the name or note that starts with the query (of Chinese, any part), or whose number holds it;
 * accents, case and spaces in numbers do not count.
 */
export function searchContacts(data: PhoneData, query: string): Contact[] {
  const digits = query.replace(/[\s()-]/g, '')
  const isNumber = /^\+?\d{2,}$/.test(digits)
  return data.contacts.filter(
    (contact) =>
      hasWord(contact.name, query) ||
      hasWord(contact.note ?? '', query) ||
      (isNumber && contact.phone.replaceAll(' ', '').includes(digits)),
  )
}

/** Messages that hold the query, latest first. */
export function searchMessages(data: PhoneData, query: string): { thread: Thread; message: Message }[] {
  const wanted = fold(query)
  return data.messages.threads
    .flatMap((thread) => thread.messages.map((message) => ({ thread, message })))
    .filter(({ message }) => fold(message.text).includes(wanted))
    .sort((one, other) => other.message.at - one.message.at)
}

/** Conversations with a matching person or message; everything for a blank query. */
export function filterConversations(data: PhoneData, query: string): Conversation[] {
  const all = conversations(data)
  if (query.trim() === '') return all
  const people = new Set(searchContacts(data, query.trim()).map((contact) => contact.id))
  const texts = new Map<string, Message>()
  for (const { thread, message } of searchMessages(data, query.trim())) {
    if (!texts.has(thread.contactId)) texts.set(thread.contactId, message)
  }
  return all
    .filter(({ contact }) => people.has(contact.id) || texts.has(contact.id))
    .map((one) => ({ ...one, last: texts.get(one.contact.id) ?? one.last }))
}

function hasWord(text: string, query: string): boolean {
  const within = fold(text)
  const wanted = fold(query)
  const startsWord = /^[^\p{L}\p{N}]|^\p{Script=Han}/u.test(wanted) ? () => true : isWordStart
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + 1)) {
    if (startsWord(within, at)) return true
  }
  return false
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]$/u.test(text.slice(0, at))
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
