import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { episodes, steps } from '@/db/schema/trajectory'
import { testDatabase } from '@/server/platform/testing/test-database'
import { appendEvents } from './append-events'
import type { EpisodeEventBody, NewEpisodeEvent } from './contract'
import { foldEpisode } from './model/fold'
import { readLog } from './read-log'
import { sampleEpisode, samplePerson } from './testing/sample-episode'

let database: Awaited<ReturnType<typeof testDatabase>>
let by: { id: string; name: string }
beforeAll(async () => {
  database = await testDatabase()
  by = await samplePerson(database.db)
})
afterAll(() => database.close())

const clock = () => 2_000
const event = (body: EpisodeEventBody): NewEpisodeEvent => ({ actor: 'harness', body })
const context = event({ type: 'context.assembled', instructionsVersion: '1', tools: [] })
const reasoned = (text: string) => event({ type: 'reasoned', text, durationMs: 1 })
const called = (callId: string) => event({ type: 'called', callId, tool: 'tap', arguments: {}, group: 1 })
const returned = (callId: string, message = '') =>
  event({ type: 'returned', callId, ok: true, code: 'ok', message, data: null, delta: null, durationMs: 1 })
const finished = event({ type: 'episode.finished', status: 'failed', claim: 'Did it', verdict: null, reason: 'No' })

async function rowOf(episodeId: string) {
  const [row] = await database.db.select().from(episodes).where(eq(episodes.id, episodeId))
  if (!row) throw new Error('no row')
  return row
}

test('twenty writers at once get a dense sequence, each its own events together', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  const appended = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      appendEvents(db, { episodeId, clock, events: [reasoned(`${index}`), reasoned(`${index}`)] }),
    ),
  )
  for (const pair of appended) expect(pair[1]?.seq).toBe((pair[0]?.seq ?? 0) + 1)
  const log = await readLog(db, { episodeId, fromSeq: 0 })
  expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 42 }, (_, seq) => seq))
  expect((await rowOf(episodeId)).nextSeq).toBe(42)
})

test('the rows that lists read say what folding the log says, whatever the batches', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  const used = event({ type: 'used', inputTokens: 1, outputTokens: 1, costMicroUsd: 7, durationMs: 1 })
  const batches = [
    [context],
    [reasoned('a'), called('1')],
    [returned('1'), context],
    [used, reasoned('b'), called('2')],
    [used],
  ]
  for (const events of batches) {
    await appendEvents(db, { episodeId, clock, events })
    const folded = foldEpisode(await readLog(db, { episodeId, fromSeq: 0 }))
    const row = await rowOf(episodeId)
    expect(row).toMatchObject({ status: folded.status, stepCount: folded.steps.length })
    expect(row.costMicroUsd).toBe(folded.totals.costMicroUsd)
    const stored = await db.select().from(steps).where(eq(steps.episodeId, episodeId)).orderBy(steps.number)
    expect(stored.map(({ number, firstSeq, endedAt, tool }) => ({ number, firstSeq, endedAt, tool }))).toEqual(
      folded.steps.map(({ number, firstSeq, endedAt, calls }) => ({
        number,
        firstSeq,
        endedAt,
        tool: calls.at(-1)?.tool ?? null,
      })),
    )
  }
})

test('refuses to grow once it has finished, and says how it ended', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  await appendEvents(db, { episodeId, clock, events: [context, finished] })
  expect(await rowOf(episodeId)).toMatchObject({ status: 'failed', claim: 'Did it', finishedAt: 2_000 })
  await expect(appendEvents(db, { episodeId, clock, events: [reasoned('late')] })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('failed'),
  })
})

test('keeps text that Postgres would refuse, and refuses what is not an event or too large', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  await appendEvents(db, { episodeId, clock, events: [context, reasoned('nul \u0000 and lone \udc00 end')] })
  expect((await readLog(db, { episodeId, fromSeq: 3 }))[0]?.body).toMatchObject({ text: 'nul  and lone \ufffd end' })
  const wrong = { type: 'reasoned', text: 5, durationMs: 1 } as unknown as EpisodeEventBody
  await expect(appendEvents(db, { episodeId, clock, events: [event(wrong)] })).rejects.toMatchObject({
    code: 'bad-input',
  })
  const huge = returned('1', 'x'.repeat(300_000))
  await expect(appendEvents(db, { episodeId, clock, events: [huge] })).rejects.toMatchObject({ code: 'bad-input' })
  expect((await rowOf(episodeId)).nextSeq).toBe(4)
})

test('a worker that no longer holds the episode can not write', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  await db.update(episodes).set({ workerId: 'new' }).where(eq(episodes.id, episodeId))
  const append = (heldBy: string) => appendEvents(db, { episodeId, clock, events: [context], heldBy })
  await expect(append('old')).rejects.toMatchObject({ code: 'conflict' })
  expect(await append('new')).toHaveLength(1)
})
