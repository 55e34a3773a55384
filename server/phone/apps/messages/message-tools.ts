import { z } from 'zod'
import { defineTool } from '@/server/tool/contract'
import { done, phoneTool, refused } from '@/server/phone/apps/app-definition'
import type { PhoneTool, ToolOutcome } from '@/server/phone/apps/app-definition'
import { cleanText } from '@/server/phone/state/clean-text'
import { formatIso } from '@/server/phone/state/local-time'
import { contactOf } from '@/server/phone/state/phone-state'
import type { Message, PhoneState } from '@/server/phone/state/phone-state'
import { conversations, searchContacts, searchMessages } from './message-search'
import * as store from './message-store'

const query = z.string().trim().min(1).max(200)
const text = z.string().overwrite(cleanText).trim().min(1).max(store.longestText)
const contactId = z.string().min(1).max(64).describe('Id from messages.search_contacts or messages.list_threads')
const localTime = z.string().describe('Local time, ISO 8601')

const shownMessage = z.strictObject({
  messageId: z.string(),
  from: z.enum(['me', 'them']),
  text: z.string(),
  at: localTime,
  status: z.enum(['sending', 'sent', 'failed', 'received']),
})
const shownContact = z.strictObject({
  contactId: z.string(),
  name: z.string(),
  phone: z.string(),
  note: z.string().optional(),
})
const sentMessage = z.strictObject({ messageId: z.string(), threadId: z.string(), status: shownMessage.shape.status })

const searchContactsTool = phoneTool(
  defineTool({
    name: 'messages.search_contacts',
    title: 'Find contacts',
    description:
      'Finds people in the address book by a part of their name, note or phone number. Several people may match: look at all of them before choosing one.',
    input: z.strictObject({ query }),
    output: z.strictObject({ contacts: z.array(shownContact) }),
    readOnly: true,
    destructive: false,
    idempotent: true,
  }),
  (state, input) => {
    const contacts = searchContacts(state.data, input.query).map(({ id, ...contact }) => ({
      contactId: id,
      ...contact,
    }))
    return done(
      state,
      contacts.length === 0 ? `No contact matches "${input.query}".` : found(contacts.length, 'contact'),
      {
        contacts,
      },
    )
  },
)

const listThreadsTool = phoneTool(
  defineTool({
    name: 'messages.list_threads',
    title: 'List conversations',
    description: 'Lists the message conversations, the latest first, each with its last message and unsent draft.',
    input: z.strictObject({ limit: z.number().int().min(1).max(100).default(20) }),
    output: z.strictObject({
      threads: z.array(
        z.strictObject({
          threadId: z.string(),
          contactId: z.string(),
          contactName: z.string(),
          unread: z.number().int(),
          lastMessage: shownMessage.nullable(),
          draft: z.string().nullable(),
        }),
      ),
      total: z.number().int(),
    }),
    readOnly: true,
    destructive: false,
    idempotent: true,
  }),
  (state, input) => {
    const all = conversations(state.data)
    const threads = all.slice(0, input.limit).map(({ contact, thread, last, draft }) => ({
      threadId: thread?.id ?? contact.id,
      contactId: contact.id,
      contactName: contact.name,
      unread: thread?.unread ?? 0,
      lastMessage: last === null ? null : shown(last),
      draft,
    }))
    return done(state, found(threads.length, 'conversation'), { threads, total: all.length })
  },
)

const readThreadTool = phoneTool(
  defineTool({
    name: 'messages.read_thread',
    title: 'Read a conversation',
    description:
      'Reads the messages of one conversation, oldest first, named by threadId or contactId. Does not mark it as read.',
    input: z
      .strictObject({ threadId: z.string().min(1).max(64).optional(), contactId: contactId.optional() })
      .refine((input) => (input.threadId === undefined) !== (input.contactId === undefined), {
        message: 'Give either threadId or contactId',
      }),
    output: z.strictObject({
      threadId: z.string(),
      contactId: z.string(),
      contactName: z.string(),
      unread: z.number().int(),
      draft: z.string().nullable(),
      messages: z.array(shownMessage),
    }),
    readOnly: true,
    destructive: false,
    idempotent: true,
  }),
  (state, input) => {
    const contact = contactOf(state.data, input.contactId ?? input.threadId)
    if (contact === null) {
      return input.contactId === undefined
        ? refused(state, 'not-found', `No conversation has the id "${input.threadId}".`)
        : unknownContact(state, input.contactId)
    }
    const thread = store.threadOf(state.data, contact.id)
    if (thread === null) return refused(state, 'not-found', `There is no conversation with ${contact.name} yet.`)
    return done(state, `${found(thread.messages.length, 'message')} with ${contact.name}`, {
      threadId: thread.id,
      contactId: contact.id,
      contactName: contact.name,
      unread: thread.unread,
      draft: state.data.messages.drafts[thread.id] ?? null,
      messages: thread.messages.map(shown),
    })
  },
)

const searchMessagesTool = phoneTool(
  defineTool({
    name: 'messages.search_messages',
    title: 'Search messages',
    description: 'Finds messages that hold a text, in all conversations, the latest first (at most 50).',
    input: z.strictObject({ query }),
    output: z.strictObject({
      messages: z.array(shownMessage.extend({ threadId: z.string(), contactId: z.string(), contactName: z.string() })),
      total: z.number().int(),
    }),
    readOnly: true,
    destructive: false,
    idempotent: true,
  }),
  (state, input) => {
    const all = searchMessages(state.data, input.query)
    const messages = all.slice(0, 50).map(({ thread, message }) => ({
      ...shown(message),
      threadId: thread.id,
      contactId: thread.contactId,
      contactName: contactOf(state.data, thread.contactId)?.name ?? thread.contactId,
    }))
    return done(state, found(all.length, 'message'), { messages, total: all.length })
  },
)

const sendMessageTool = phoneTool(
  defineTool({
    name: store.sendTool,
    title: 'Send a message',
    description:
      'Sends a text message to one contact. It cannot be taken back. When it is not delivered the failed message stays in the conversation: try again with messages.retry_message instead of sending it twice.',
    input: z.strictObject({ contactId, text }),
    output: sentMessage,
    readOnly: false,
    destructive: true,
    idempotent: false,
  }),
  (state, input) => {
    const contact = contactOf(state.data, input.contactId)
    if (contact === null) return unknownContact(state, input.contactId)
    const delivery = store.sendMessage(state.data, contact.id, input.text, state.clock.now)
    return delivered(state, delivery, contact.id, `Message to ${contact.name} is on its way.`)
  },
  { handlesFaults: true },
)

const retryMessageTool = phoneTool(
  defineTool({
    name: store.retryTool,
    title: 'Send a failed message again',
    description: 'Sends a message whose status is failed once more.',
    input: z.strictObject({ messageId: z.string().min(1).max(64) }),
    output: sentMessage,
    readOnly: false,
    destructive: true,
    idempotent: false,
  }),
  (state, input) => {
    const known = store.findMessage(state.data, input.messageId)
    if (known === null) return refused(state, 'not-found', `No message has the id "${input.messageId}".`)
    const delivery = store.retryMessage(state.data, input.messageId, state.clock.now)
    if (delivery === null) {
      return refused(
        state,
        'not-failed',
        `Message ${input.messageId} did not fail: its status is ${known.message.status}.`,
      )
    }
    return delivered(state, delivery, known.thread.id, 'The message is on its way.')
  },
  { handlesFaults: true },
)

const saveDraftTool = phoneTool(
  defineTool({
    name: 'messages.save_draft',
    title: 'Keep a draft',
    description:
      'Keeps unsent text in the conversation with a contact, in place of its draft; an empty text removes it.',
    input: z.strictObject({ contactId, text: z.string().overwrite(cleanText).max(store.longestText) }),
    output: z.strictObject({ threadId: z.string(), draft: z.string().nullable() }),
    readOnly: false,
    destructive: false,
    idempotent: true,
  }),
  (state, input) => {
    const contact = contactOf(state.data, input.contactId)
    if (contact === null) return unknownContact(state, input.contactId)
    const data = store.saveDraft(state.data, contact.id, input.text)
    const draft = data.messages.drafts[contact.id] ?? null
    const message = draft === null ? `No draft to ${contact.name}.` : `Draft to ${contact.name} kept.`
    return done({ ...state, data }, message, { threadId: contact.id, draft })
  },
)

/** The app's tools: the same changes of the state as its screens make. */
export const messageTools: readonly PhoneTool[] = [
  searchContactsTool,
  listThreadsTool,
  readThreadTool,
  searchMessagesTool,
  sendMessageTool,
  retryMessageTool,
  saveDraftTool,
]

function delivered(state: PhoneState, delivery: store.Delivery, threadId: string, message: string): ToolOutcome {
  const after = { ...state, data: delivery.data }
  const data = { messageId: delivery.message.id, threadId, status: delivery.message.status }
  if (delivery.failure === null) return done(after, message, data)
  return refused(after, delivery.failure.code, delivery.failure.message, data)
}

function shown({ id, ...message }: Message): z.output<typeof shownMessage> {
  return { messageId: id, ...message, at: formatIso(message.at) }
}

function unknownContact(state: PhoneState, id: string): ToolOutcome {
  return refused(state, 'not-found', `No contact has the id "${id}". Look it up with messages.search_contacts.`)
}

function found(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
