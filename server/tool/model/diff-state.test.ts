import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stateChange } from '@/server/tool/contract'
import { diffState } from './diff-state'

const before = {
  messages: {
    threads: [
      { id: 'mum', unread: 0, messages: [] },
      { id: 'lin-yue', unread: 1, messages: [{ text: 'Hi' }, { text: 'Same place?' }] },
    ],
    drafts: { 'lin-yue': 'Yes' },
  },
}

describe('diffState', () => {
  test('names members by id, by index and by key', () => {
    const after = {
      messages: {
        threads: [
          { id: 'mum', unread: 2, messages: [] },
          { id: 'lin-yue', unread: 1, messages: [{ text: 'Hi' }, { text: 'Same time?' }, { text: 'New' }] },
          { id: 'zhou-min', unread: 0, messages: [] },
        ],
        drafts: {},
      },
    }
    expect(diffState(before, after)).toEqual([
      { op: 'replace', path: 'messages.threads[mum].unread', before: 0, after: 2 },
      {
        op: 'replace',
        path: 'messages.threads[lin-yue].messages[1].text',
        before: 'Same place?',
        after: 'Same time?',
      },
      { op: 'add', path: 'messages.threads[lin-yue].messages[2]', after: { text: 'New' } },
      { op: 'add', path: 'messages.threads[zhou-min]', after: { id: 'zhou-min', unread: 0, messages: [] } },
      { op: 'remove', path: 'messages.drafts[lin-yue]', before: 'Yes' },
    ])
  })

  test('a member that moved is not a change of its own; a new order alone is', () => {
    expect(
      diffState(
        [
          { id: 'a', n: 1 },
          { id: 'b', n: 1 },
        ],
        [
          { id: 'b', n: 2 },
          { id: 'a', n: 1 },
        ],
      ),
    ).toEqual([{ op: 'replace', path: '[b].n', before: 1, after: 2 }])
    expect(diffState({ list: [{ id: 'a' }, { id: 'b' }] }, { list: [{ id: 'b' }, { id: 'a' }] })).toEqual([
      { op: 'replace', path: 'list.order', before: ['a', 'b'], after: ['b', 'a'] },
    ])
  })

  test('matches by index when an id is missing, repeated or not text', () => {
    expect(diffState([{ id: 'a' }, { id: 'a' }], [{ id: 'a' }])).toEqual([
      { op: 'remove', path: '[1]', before: { id: 'a' } },
    ])
    expect(diffState([{ id: 1 }], [{ id: 2 }])).toEqual([{ op: 'replace', path: '[0].id', before: 1, after: 2 }])
  })

  test('is empty exactly when both are equal as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (first, second) => {
        const [one, other]: unknown[] = JSON.parse(JSON.stringify([first, second]))
        const changes = diffState(one, other)
        for (const change of changes) stateChange.parse(change)
        expect(diffState(one, structuredClone(one))).toEqual([])
        expect(changes.length === 0).toBe(sameJson(one, other))
      }),
    )
  })
})

function sameJson(one: unknown, other: unknown): boolean {
  try {
    expect(one).toStrictEqual(other)
    return true
  } catch {
    return false
  }
}
