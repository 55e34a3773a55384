import type { Fault, Message, PhoneData, Thread } from '@/server/phone/state/phone-state'

/** How long a message that the network takes is on its way. */
const sendingMs = 600
export const longestText = 2000

export const sendTool = 'messages.send_message'
export const retryTool = 'messages.retry_message'

export type Delivery = { data: PhoneData; message: Message; failure: { code: string; message: string } | null }

/** The conversation with a contact; null when nothing was ever sent. */
export function threadOf(data: PhoneData, contactId: string): Thread | null {
  return data.messages.threads.find((thread) => thread.contactId === contactId) ?? null
}

/** A message with its conversation; null when there is none. */
export function findMessage(data: PhoneData, messageId: string): { thread: Thread; message: Message } | null {
  for (const thread of data.messages.threads) {
    const message = thread.messages.find((one) => one.id === messageId)
    if (message !== undefined) return { thread, message }
  }
  return null
}

/**
 * Sends a text: the message is kept whatever happens, `sending` when the network takes it and `failed` with the failure
 * when it does not. Who writes has read, so the conversation is read afterwards. The contact must exist and the text not be
 * blank.
 */
export function sendMessage(data: PhoneData, contactId: string, text: string, now: number): Delivery {
  const { data: tried, failure } = tryNetwork(data, [sendTool])
  const count = data.messages.threads.reduce((total, thread) => total + thread.messages.length, 0)
  const message: Message = {
    id: `m${count + 1}`,
    from: 'me',
    text: text.trim().slice(0, longestText),
    at: now,
    status: failure === null ? 'sending' : 'failed',
  }
  const thread = threadOf(data, contactId)
  const threads =
    thread === null
      ? [...tried.messages.threads, { id: contactId, contactId, unread: 0, messages: [message] }]
      : tried.messages.threads.map((one) =>
          one === thread ? { ...one, unread: 0, messages: [...one.messages, message] } : one,
        )
  return { data: { ...tried, messages: { ...tried.messages, threads } }, message, failure }
}

/** Sends a failed message again, with the time of the new try. Null when there is no failed message of this id. */
export function retryMessage(data: PhoneData, messageId: string, now: number): Delivery | null {
  const found = findMessage(data, messageId)
  if (found === null || found.message.status !== 'failed') return null
  const { data: tried, failure } = tryNetwork(data, [retryTool, sendTool])
  const message: Message = failure === null ? { ...found.message, at: now, status: 'sending' } : found.message
  return { data: replaceMessages(tried, (one) => (one.id === messageId ? message : one)), message, failure }
}

/** Keeps the unsent text of a conversation; an empty text takes the draft away. */
export function saveDraft(data: PhoneData, contactId: string, text: string): PhoneData {
  const { [contactId]: previous, ...others } = data.messages.drafts
  if ((previous ?? '') === text) return data
  const drafts = text === '' ? others : { ...data.messages.drafts, [contactId]: text }
  return { ...data, messages: { ...data.messages, drafts } }
}

/** Nothing of the conversation is unread any more. */
export function markRead(data: PhoneData, contactId: string): PhoneData {
  const thread = threadOf(data, contactId)
  if (thread === null || thread.unread === 0) return data
  const threads = data.messages.threads.map((one) => (one === thread ? { ...one, unread: 0 } : one))
  return { ...data, messages: { ...data.messages, threads } }
}

/** Messages that were on their way long enough have arrived. */
export function completeSending(data: PhoneData, now: number): PhoneData {
  if (!isSending(data)) return data
  return replaceMessages(data, (message) =>
    message.status === 'sending' && now - message.at >= sendingMs ? { ...message, status: 'sent' } : message,
  )
}

export function isSending(data: PhoneData): boolean {
  return data.messages.threads.some((thread) => thread.messages.some((message) => message.status === 'sending'))
}

/** One try to reach the network for any of these tools: uses up one failure of a fault that is set for it. */
function tryNetwork(data: PhoneData, tools: readonly string[]): { data: PhoneData; failure: Delivery['failure'] } {
  if (data.system.airplaneMode) {
    return { data, failure: { code: 'not-delivered', message: 'Not sent: airplane mode is on.' } }
  }
  const fault = data.system.faults.find((one) => tools.includes(one.tool) && one.remaining > 0)
  if (fault === undefined) return { data, failure: null }
  const failure = { code: fault.code, message: fault.message }
  return { data: useFault(data, fault), failure }
}

function useFault(data: PhoneData, fault: Fault): PhoneData {
  const faults = data.system.faults.map((one) => (one === fault ? { ...one, remaining: one.remaining - 1 } : one))
  return { ...data, system: { ...data.system, faults } }
}

/** Keeps the identity of every thread in which nothing changed. */
function replaceMessages(data: PhoneData, replace: (message: Message) => Message): PhoneData {
  const threads = data.messages.threads.map((thread) => {
    const messages = thread.messages.map(replace)
    return messages.every((message, index) => message === thread.messages[index]) ? thread : { ...thread, messages }
  })
  if (threads.every((thread, index) => thread === data.messages.threads[index])) return data
  return { ...data, messages: { ...data.messages, threads } }
}
