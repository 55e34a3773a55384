import { describe, expect, test } from 'vitest'
import { phoneTools, runTool } from '@/server/phone/apps/run-tool'
import { initialState } from '@/server/phone/state/initial-state'
import { phoneState } from '@/server/phone/state/phone-state'
import type { Fault, PhoneState } from '@/server/phone/state/phone-state'
import { reduce } from '@/server/phone/state/reduce'
import { toolResult } from '@/server/tool/contract'
import type { ToolResult } from '@/server/tool/contract'
import { toExposedTool } from '@/server/tool/model/function-schema'
import { toMcpTool } from '@/server/tool/model/mcp-tool'

const noAnswer: Fault = {
  tool: 'messages.send_message',
  code: 'not-delivered',
  message: 'No answer from the network. The message is kept as not sent.',
  remaining: 1,
}

function withFault(state: PhoneState, fault: Fault): PhoneState {
  return { ...state, data: { ...state.data, system: { ...state.data.system, faults: [fault] } } }
}

/** Calls a tool and checks what every result must be. */
function call(state: PhoneState, name: string, input: unknown): { state: PhoneState; result: ToolResult } {
  const { state: after, result } = runTool(state, name, input)
  const tool = phoneTools.find((one) => one.definition.name === name)
  toolResult.parse(result)
  phoneState.parse(after)
  if (result.ok) tool?.definition.output.parse(result.data)
  if (tool?.definition.readOnly) expect(result.delta).toEqual([])
  return { state: after, result }
}

describe('the tools of Messages', () => {
  test('are seven, and each can be told to a model and an MCP client', () => {
    expect(phoneTools.map((tool) => tool.definition.name)).toEqual([
      'messages.search_contacts',
      'messages.list_threads',
      'messages.read_thread',
      'messages.search_messages',
      'messages.send_message',
      'messages.retry_message',
      'messages.save_draft',
    ])
    for (const { definition } of phoneTools) {
      expect(toExposedTool(definition).inputSchema).toMatchObject({ type: 'object' })
      expect(toMcpTool(definition).inputSchema.type).toBe('object')
    }
  })

  test('a name that several people have gives all of them', () => {
    const { result } = call(initialState(7), 'messages.search_contacts', { query: 'lin' })
    expect(result.data).toMatchObject({ contacts: [{ contactId: 'lin-hao' }, { contactId: 'lin-yue' }] })
    const chinese = call(initialState(7), 'messages.search_contacts', { query: '林悦' })
    expect(chinese.result.data).toMatchObject({ contacts: [{ contactId: 'lin-yue' }] })
    const nobody = call(initialState(7), 'messages.search_contacts', { query: 'zzz' })
    expect(nobody.result).toMatchObject({ ok: true, data: { contacts: [] } })
  })

  test('contacts are found by number, however it is spaced', () => {
    const state = initialState(7)
    const mum = state.data.contacts.find((contact) => contact.id === 'mum')
    const { result } = call(state, 'messages.search_contacts', { query: mum?.phone.slice(4).replaceAll(' ', '') })
    expect(result.data).toMatchObject({ contacts: [{ contactId: 'mum' }] })
  })

  test('threads are listed latest first, as many as asked for', () => {
    const { result } = call(initialState(7), 'messages.list_threads', { limit: 4 })
    const { threads } = result.data as { threads: { lastMessage: { at: string } }[] }
    const times = threads.map((thread) => thread.lastMessage.at)
    expect(times).toHaveLength(4)
    expect(times).toEqual(times.toSorted().reverse())
  })

  test('a thread is read by either id and stays unread', () => {
    const byThread = call(initialState(7), 'messages.read_thread', { threadId: 'lin-yue' })
    const byContact = call(initialState(7), 'messages.read_thread', { contactId: 'lin-yue' })
    expect(byThread.result).toEqual(byContact.result)
    expect(byThread.result.data).toMatchObject({ unread: 1, contactName: 'Lin Yue 林悦' })
  })

  test('messages are found in all conversations', () => {
    const { result } = call(initialState(7), 'messages.search_messages', { query: '密码' })
    expect(result.data).toMatchObject({ total: 1, messages: [{ threadId: 'doctor-wang', from: 'them' }] })
  })

  test('sending keeps the message, which arrives a moment later', () => {
    const sent = call(initialState(7), 'messages.send_message', { contactId: 'lin-hao', text: '  On my way ' })
    const { messageId } = sent.result.data as { messageId: string }
    expect(sent.result).toMatchObject({ ok: true, code: 'ok', data: { status: 'sending', threadId: 'lin-hao' } })
    expect(sent.result.delta).toEqual([
      {
        op: 'add',
        path: `messages.threads[lin-hao].messages[${messageId}]`,
        after: { id: messageId, from: 'me', text: 'On my way', at: sent.state.clock.now, status: 'sending' },
      },
    ])
    const early = reduce(sent.state, { type: 'tick', ms: 599 })
    expect(early.data).toBe(sent.state.data)
    const later = reduce(early, { type: 'tick', ms: 1 })
    expect(later.data.messages.threads.find((one) => one.id === 'lin-hao')?.messages.at(-1)?.status).toBe('sent')
  })

  test('the first message to somebody starts a conversation', () => {
    const state = initialState(7)
    const known = new Set(state.data.messages.threads.map((thread) => thread.contactId))
    const stranger = state.data.contacts.find((contact) => !known.has(contact.id))?.id
    const sent = call(state, 'messages.send_message', { contactId: stranger, text: 'Hello' })
    expect(sent.result.delta).toMatchObject([{ op: 'add', path: `messages.threads[${stranger}]` }])
    expect(call(state, 'messages.read_thread', { contactId: stranger }).result.code).toBe('not-found')
  })

  test('a fault keeps the message as failed and counts down; the retry gets through', () => {
    const failed = call(withFault(initialState(7), noAnswer), 'messages.send_message', {
      contactId: 'lin-yue',
      text: 'Moved to Friday',
    })
    const { messageId } = failed.result.data as { messageId: string }
    expect(failed.result).toMatchObject({ ok: false, code: 'not-delivered', message: noAnswer.message })
    expect(failed.result.delta).toMatchObject([
      { op: 'replace', path: 'system.faults[0].remaining', before: 1, after: 0 },
      { op: 'replace', path: 'messages.threads[lin-yue].unread', before: 1, after: 0 },
      { op: 'add', after: { text: 'Moved to Friday', status: 'failed' } },
    ])
    const retried = call(failed.state, 'messages.retry_message', { messageId })
    expect(retried.result).toMatchObject({ ok: true, data: { messageId, status: 'sending' } })
    expect(call(retried.state, 'messages.retry_message', { messageId }).result.code).toBe('not-failed')
  })

  test('a fault of two failures fails the retry as well', () => {
    const state = withFault(initialState(7), { ...noAnswer, remaining: 2 })
    const failed = call(state, 'messages.send_message', { contactId: 'mum', text: 'Hi' })
    const { messageId } = failed.result.data as { messageId: string }
    const again = call(failed.state, 'messages.retry_message', { messageId })
    expect(again.result.code).toBe('not-delivered')
    expect(call(again.state, 'messages.retry_message', { messageId }).result.ok).toBe(true)
  })

  test('airplane mode sends nothing', () => {
    const state = initialState(7)
    const flying = { ...state, data: { ...state.data, system: { ...state.data.system, airplaneMode: true } } }
    const { result } = call(flying, 'messages.send_message', { contactId: 'mum', text: 'Hi' })
    expect(result).toMatchObject({ ok: false, code: 'not-delivered', data: { status: 'failed' } })
  })

  test('a fault of another tool stops that tool alone, once', () => {
    const fault = { tool: 'messages.search_contacts', code: 'timeout', message: 'Took too long.', remaining: 1 }
    const once = runTool(withFault(initialState(7), fault), 'messages.search_contacts', { query: 'Mum' })
    expect(once.result).toMatchObject({ ok: false, code: 'timeout', message: 'Took too long.', data: null })
    expect(runTool(once.state, 'messages.search_contacts', { query: 'Mum' }).result.ok).toBe(true)
  })

  test('drafts are kept, replaced and taken away', () => {
    const kept = call(initialState(7), 'messages.save_draft', { contactId: 'mum', text: 'Friday' })
    expect(kept.result.delta).toEqual([{ op: 'add', path: 'messages.drafts.mum', after: 'Friday' }])
    const same = call(kept.state, 'messages.save_draft', { contactId: 'mum', text: 'Friday' })
    expect(same.result.delta).toEqual([])
    const gone = call(kept.state, 'messages.save_draft', { contactId: 'mum', text: '' })
    expect(gone.state.data).toEqual(initialState(7).data)
  })

  test.each([
    ['messages.search_contacts', {}, 'query'],
    ['messages.search_contacts', { query: ' ' }, 'query'],
    ['messages.list_threads', { limit: 0 }, 'limit'],
    ['messages.read_thread', {}, 'threadId or contactId'],
    ['messages.read_thread', { threadId: 'mum', contactId: 'mum' }, 'threadId or contactId'],
    ['messages.send_message', { contactId: 'mum' }, 'text'],
    ['messages.send_message', { contactId: 'mum', text: ' \u0000 ' }, 'text'],
    ['messages.send_message', { contactId: 'mum', text: 'x'.repeat(2001) }, 'text'],
    ['messages.send_message', { contactId: 'mum', text: 'Hi', urgent: true }, 'urgent'],
    ['messages.retry_message', { messageId: 3 }, 'messageId'],
    ['messages.save_draft', { contactId: 'mum', text: null }, 'text'],
    ['messages.send_message', 'Hi', 'arguments'],
  ])('%s refuses %j and names the place', (name, input, place) => {
    const state = initialState(7)
    const { state: after, result } = call(state, name, input)
    expect(result).toMatchObject({ ok: false, code: 'bad-arguments', data: null, delta: [] })
    expect(result.message).toContain(place)
    expect(after).toBe(state)
  })

  test.each([
    ['messages.send_message', { contactId: 'lin', text: 'Hi' }],
    ['messages.save_draft', { contactId: 'lin', text: 'Hi' }],
    ['messages.read_thread', { threadId: 'lin' }],
    ['messages.retry_message', { messageId: 'm999' }],
  ])('%s says so when the id leads nowhere', (name, input) => {
    expect(call(initialState(7), name, input).result).toMatchObject({ ok: false, code: 'not-found', delta: [] })
  })

  test('a tool that does not exist is answered with the ones that do', () => {
    const { result } = call(initialState(7), 'messages.delete', {})
    expect(result.code).toBe('unknown-tool')
    expect(result.message).toContain('messages.send_message')
  })
})
