import { createRandom } from '@/server/phone/state/random'
import { sendTool } from '@/server/phone/apps/messages/message-store'
import type { TaskInstance, TaskTemplate } from '@/server/environment/contract'
import type { ToolResult } from '@/server/tool/contract'
import type { Verdict } from '@/server/trajectory/contract'
import { addedMessages, checkNothingElse, parsePhoneData, verdictOf } from './messages-data'
import {
  conclude,
  contactsData,
  dataOf,
  decide,
  foundMessagesData,
  look,
  type Plan,
  quote,
  type Thread,
  threadData,
} from './plan-results'

const budget = { steps: 20 }
const doctor = { id: 'doctor-wang', name: '王医生' }
const friend = { id: 'zhou-min', name: '周敏' }
const codeWord = '密码'

/** Looking up a fact in one conversation and sending it to somebody else, while the network fails once or twice. */
export const messagesForwardCode: TaskTemplate = {
  id: 'messages-forward-code',
  title: 'Forward the gate code',
  instantiate(seed) {
    const failures = createRandom(seed).pick([1, 2])
    const instance: TaskInstance = {
      id: messagesForwardCode.id,
      title: messagesForwardCode.title,
      seed,
      request: `Send ${friend.name} the gate code ${doctor.name} gave me`,
      budget,
      tools: [
        'messages.search_contacts',
        'messages.search_messages',
        'messages.list_threads',
        'messages.read_thread',
        'messages.send_message',
        'messages.retry_message',
      ],
      setUp(data) {
        const fresh = parsePhoneData(data)
        const fault = {
          tool: sendTool,
          code: 'not-delivered',
          message: 'Not sent: no answer from the network.',
          remaining: failures,
        }
        return { ...fresh, system: { ...fresh.system, faults: [...fresh.system.faults, fault] } }
      },
      expectedAnswer: null,
      check,
      plan,
    }
    return instance
  },
}

/** The code in what somebody wrote: the digits after the word for it. */
function codeIn(text: string): string | null {
  return /密码\D{0,6}(\d{3,8})/.exec(text)?.[1] ?? null
}

function check(initial: unknown, final: unknown): Verdict {
  const before = parsePhoneData(initial)
  const after = parsePhoneData(final)
  const code = before.messages.threads
    .find((thread) => thread.contactId === doctor.id)
    ?.messages.filter((message) => message.from === 'them')
    .map((message) => codeIn(message.text))
    .findLast((found) => found !== null)
  const added = addedMessages(before, after)
  const toFriend = added.filter(({ threadId }) => threadId === friend.id)
  const elsewhere = added.filter(({ threadId }) => threadId !== friend.id)
  const delivered = toFriend.filter(({ message }) => message.status === 'sent')
  const [only] = delivered
  const hasCode = code !== undefined && only !== undefined && digitsOf(only.message.text).includes(code ?? '')
  return verdictOf([
    {
      id: 'no-wrong-recipient',
      title: 'Nobody else was written to',
      passed: elsewhere.length === 0,
      reason:
        elsewhere.length === 0
          ? 'No other conversation has a new message.'
          : `Expected a message to ${friend.name} only; ${elsewhere.map(({ threadId }) => threadId).join(', ')} got one too.`,
    },
    checkNothingElse(before, after),
    {
      id: 'delivered-once',
      title: 'Exactly one message was delivered',
      passed: delivered.length === 1 && toFriend.length === 1,
      reason: `${delivered.length} of ${toFriend.length} new messages to ${friend.name} were delivered; expected exactly one.`,
    },
    {
      id: 'right-code',
      title: `It holds the code ${doctor.name} gave`,
      passed: hasCode,
      reason: only
        ? `${friend.name} got ${quote(only.message.text)}; the code is ${code ?? 'unknown'}.`
        : `${friend.name} got nothing; the code is ${code ?? 'unknown'}.`,
    },
  ])
}

function digitsOf(text: string): string[] {
  return text.match(/\d+/g) ?? []
}

function* plan(): Plan<void> {
  const search = yield* look(
    `I need the gate code that ${doctor.name} gave. It must be in a message, and the word for it is ${codeWord}, so I search all conversations for that.`,
    'messages.search_messages',
    { query: codeWord },
  )
  const candidates = dataOf(search, foundMessagesData)?.messages ?? []
  const source = candidates.find(
    (one) => one.contactName === doctor.name && one.from === 'them' && codeIn(one.text) !== null,
  )
  const code = source ? codeIn(source.text) : null
  if (!source || code === null) {
    return yield* conclude(
      `${search.message} None of them is from ${doctor.name} with a code. I must not invent one, so I say that I did not find it.`,
      `I found no gate code from ${doctor.name}, so I sent nothing.`,
    )
  }
  const contacts = yield* look(
    `${doctor.name} wrote ${quote(source.text)}, so the code is ${code}. Now I need the right ${friend.name}, and look her up rather than guess an id.`,
    'messages.search_contacts',
    { query: friend.name },
  )
  const people = (dataOf(contacts, contactsData)?.contacts ?? []).filter(({ name }) => name === friend.name)
  const [recipient] = people
  if (!recipient || people.length > 1) {
    return yield* conclude(
      `${contacts.message} I expected exactly one ${friend.name}; with any other number I would have to guess who gets a door code.`,
      `I could not tell who ${friend.name} is, so I sent nothing.`,
    )
  }
  const { contactId } = recipient
  const earlier = yield* readThread(
    contactId,
    `There is one ${friend.name}${recipient.note ? ` (${recipient.note})` : ''}. Before sending I read our conversation, to see whether she already has the code and which language we write.`,
  )
  const earlierIds = new Set(earlier?.messages.map((message) => message.messageId))
  const last = earlier?.messages.at(-1)
  const sent = yield* decide(
    `${last ? `The last message there is ${quote(last.text)}` : 'There is nothing there yet'}: the code ${code} was not mentioned. We write Chinese, so I send it in one clear sentence that says whose door it opens.`,
    'messages.send_message',
    { contactId, text: `${doctor.name}诊所的大门密码是 ${code}` },
  )
  const outcome = yield* followUp(contactId, sent, code, earlierIds)
  yield* conclude(
    outcome === 'sent'
      ? `Our conversation now holds exactly one message with ${code}, and its status is sent. The request is done and no second copy went out.`
      : `The message with ${code} is still not delivered after several tries. I stop here and say so instead of sending a second one.`,
    outcome === 'sent'
      ? `I sent ${friend.name} the gate code ${code}.`
      : `The message to ${friend.name} could not be delivered.`,
  )
}

/** Sees the message through: looks what became of it and sends the failed one again, never a second one. */
function* followUp(
  contactId: string,
  first: ToolResult,
  code: string,
  earlierIds: ReadonlySet<string>,
): Plan<'sent' | 'not-sent'> {
  let told = first
  for (let attempt = 0; attempt < 5; attempt++) {
    const thread = yield* readThread(
      contactId,
      told.ok
        ? `${told.message} I read the conversation to see whether it has arrived.`
        : `The answer was ${quote(told.message)} (${told.code}). Sending again could make two messages, so I first read the conversation to see what is there.`,
    )
    const message = thread?.messages.findLast((one) => one.from === 'me' && !earlierIds.has(one.messageId))
    if (message?.status === 'sent') return 'sent'
    if (message?.status === 'failed') {
      told = yield* decide(
        `The message is there, marked as failed. Retrying that very message keeps it at one, where a new one would be a double.`,
        'messages.retry_message',
        { messageId: message.messageId },
      )
    } else if (!message) {
      told = yield* decide(
        `The conversation does not hold the message at all, so it never left. I send it now, for the first time.`,
        'messages.send_message',
        { contactId, text: `${doctor.name}诊所的大门密码是 ${code}` },
      )
    } else {
      told = { ok: true, code: 'ok', message: `The message with ${code} is on its way but not there yet.`, data: null }
    }
  }
  return 'not-sent'
}

function* readThread(contactId: string, reason: string): Plan<Thread | null> {
  return dataOf(yield* look(reason, 'messages.read_thread', { contactId }), threadData)
}
