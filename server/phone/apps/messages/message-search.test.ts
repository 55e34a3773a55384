import { describe, expect, test } from 'vitest'
import { initialState } from '@/server/phone/state/initial-state'
import { conversations, filterConversations, searchContacts, searchMessages } from './message-search'
import { saveDraft } from './message-store'

const { data } = initialState(7)
const people = {
  ...data,
  contacts: [
    { id: 'ben', name: 'Ben Carter', phone: '+86 138 1111 2222', note: 'Climbing on Wednesdays' },
    { id: 'chloe', name: 'Chloé Martin', phone: '+86 139 3333 4444' },
    { id: 'lin-yue', name: 'Lin Yue 林悦', phone: '+86 158 5555 6666' },
    { id: 'zhou-min', name: '周敏', phone: '+86 186 7777 8888' },
  ],
}
const idsOf = (query: string) => searchContacts(people, query).map((contact) => contact.id)

describe('contacts are found', () => {
  test.each([
    ['lin', ['lin-yue']],
    ['climb', ['ben']],
    ['chloe', ['chloe']],
    ['MARTIN', ['chloe']],
    ['悦', ['lin-yue']],
    ['敏', ['zhou-min']],
    ['5555 66', ['lin-yue']],
    ['ue', []],
    ['.*', []],
  ])('by %s', (query, ids) => {
    expect(idsOf(query)).toEqual(ids)
  })
})

test('messages are found latest first', () => {
  const times = searchMessages(data, 'e').map(({ message }) => message.at)
  expect(times.length).toBeGreaterThan(5)
  expect(times).toEqual(times.toSorted((one, other) => other - one))
})

test('a search shows the message that matched in place of the last', () => {
  const [first] = filterConversations(data, 'June invoice')
  expect(first?.contact.id).toBe('mum')
  expect(first?.last?.text).toContain('June invoice')
  expect(filterConversations(data, ' ')).toEqual(conversations(data))
})

test('a draft to somebody new stands first', () => {
  const known = new Set(data.messages.threads.map((thread) => thread.contactId))
  const stranger = data.contacts.find((contact) => !known.has(contact.id))?.id ?? ''
  expect(conversations(saveDraft(data, stranger, 'Hello'))[0]).toMatchObject({ draft: 'Hello', thread: null })
})
