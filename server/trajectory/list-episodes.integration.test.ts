import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '@/server/platform/testing/test-database'
import { appendEvents } from './append-events'
import { listEpisodesInput } from './contract'
import { listEpisodes } from './list-episodes'
import { readEpisode } from './read-episode'
import { sampleEpisode, samplePerson } from './testing/sample-episode'

let database: Awaited<ReturnType<typeof testDatabase>>
let by: { id: string; name: string }
const ids: string[] = []
beforeAll(async () => {
  database = await testDatabase()
  by = await samplePerson(database.db)
  for (let index = 0; index < 7; index++) {
    // Two share each time: the id decides between them.
    ids.push(await sampleEpisode(database.db, { by, request: `Request 100%_${index}`, at: Math.floor(index / 2) }))
  }
})
afterAll(() => database.close())

const list = (input: object) => listEpisodes(database.db, listEpisodesInput.parse(input))

test('pages through all of them once, in order, with the total on every page', async () => {
  for (const sort of ['created', 'title', 'steps', 'cost', 'finished'] as const) {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await list({ sort, direction: 'ascending', limit: 2, cursor })
      expect(page.total).toBe(7)
      seen.push(...page.episodes.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(ids)
  }
  const newest = await list({ limit: 3 })
  expect(newest.episodes.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 3))
})

test('filters by state and by words, taken literally', async () => {
  const [first = ''] = ids
  await appendEvents(database.db, {
    episodeId: first,
    clock: () => 9,
    events: [
      {
        actor: 'harness',
        body: { type: 'episode.finished', status: 'stopped', claim: null, verdict: null, reason: '' },
      },
    ],
  })
  expect((await list({ statuses: ['stopped'] })).episodes.map(({ id }) => id)).toEqual([first])
  expect(await list({ text: '100%_3' })).toMatchObject({ total: 1, episodes: [{ id: ids[3] }] })
  expect((await list({ text: '100__3' })).total).toBe(0)
})

test('refuses a cursor of another order and one that is none', async () => {
  const { nextCursor } = await list({ limit: 2 })
  await expect(list({ sort: 'title', cursor: nextCursor })).rejects.toMatchObject({ code: 'bad-input' })
  await expect(list({ cursor: 'rubbish' })).rejects.toMatchObject({ code: 'bad-input' })
})

test('reads a long log in stretches that stay small', async () => {
  const episodeId = await sampleEpisode(database.db, { by })
  for (let index = 0; index < 15; index++) {
    await appendEvents(database.db, {
      episodeId,
      clock: () => 5,
      events: [{ actor: 'planner', body: { type: 'reasoned', text: 'x'.repeat(200_000), durationMs: 1 } }],
    })
  }
  const first = await readEpisode(database.db, { episodeId, fromSeq: 0, limit: 500 })
  expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(4 * 1024 * 1024)
  expect(first.nextSeq).toBe(first.events.length)
  const rest = await readEpisode(database.db, { episodeId, fromSeq: first.nextSeq ?? 0, limit: 500 })
  expect(rest.nextSeq).toBeNull()
  expect([...first.events, ...rest.events].map(({ seq }) => seq)).toEqual(Array.from({ length: 17 }, (_, seq) => seq))
  const exact = await readEpisode(database.db, { episodeId, fromSeq: 0, limit: 2 })
  expect(exact).toMatchObject({ nextSeq: 2 })
  await expect(readEpisode(database.db, { episodeId: by.id, fromSeq: 0, limit: 1 })).rejects.toMatchObject({
    code: 'not-found',
  })
})
