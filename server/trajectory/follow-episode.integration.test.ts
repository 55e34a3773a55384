import { afterAll, beforeAll, expect, test } from 'vitest'
import { createListener, type Listener } from '@/server/platform/notify'
import { testDatabase } from '@/server/platform/testing/test-database'
import { appendEvents } from './append-events'
import type { FollowedItem, NewEpisodeEvent } from './contract'
import { followEpisode } from './follow-episode'
import { speakReasoning } from './speak-reasoning'
import { sampleEpisode, samplePerson } from './testing/sample-episode'

let database: Awaited<ReturnType<typeof testDatabase>>
let listener: Listener
let by: { id: string; name: string }
beforeAll(async () => {
  database = await testDatabase()
  listener = createListener(database.url)
  by = await samplePerson(database.db)
})
afterAll(async () => {
  await listener.close()
  await database.close()
})

const clock = () => 2_000
const reasoned = (text: string): NewEpisodeEvent => ({
  actor: 'planner',
  body: { type: 'reasoned', text, durationMs: 1 },
})
const finished: NewEpisodeEvent = {
  actor: 'harness',
  body: { type: 'episode.finished', status: 'stopped', claim: null, verdict: null, reason: 'Stopped' },
}

/** What the follower gave, in short: a seq, or the text of a delta. */
function short(item: FollowedItem): number | string {
  return item.type === 'event' ? item.event.seq : item.text
}

test('gives the stored tail, then what is appended and spoken, and ends with the episode', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  const other = await sampleEpisode(db, { by })
  const following = followEpisode({ db, listener, episodeId, fromSeq: 1, signal: new AbortController().signal })
  const next = async () => short((await following.next()).value as FollowedItem)
  expect(await next()).toBe(1)
  const spoken = next()
  await speakReasoning(db, { episodeId: other, afterSeq: 1, text: 'not mine' })
  await speakReasoning(db, { episodeId, afterSeq: 1, text: 'I think' })
  expect(await spoken).toBe('I think')
  await appendEvents(db, { episodeId: other, clock, events: [reasoned('elsewhere')] })
  await appendEvents(db, { episodeId, clock, events: [reasoned('I think so'), reasoned('again')] })
  expect([await next(), await next()]).toEqual([2, 3])
  await appendEvents(db, { episodeId, clock, events: [finished] })
  expect(await next()).toBe(4)
  expect((await following.next()).done).toBe(true)
})

test('catches up with what a lost notice was about, after the next notice or a new connection', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  const heard: { channel: string; notify: (payload: string) => void; reconnect: () => void }[] = []
  const deaf: Listener = {
    async listen(channel, notify, reconnect) {
      heard.push({ channel, notify, reconnect })
      return async () => undefined
    },
    close: async () => undefined,
  }
  const following = followEpisode({ db, listener: deaf, episodeId, fromSeq: 0, signal: new AbortController().signal })
  const next = async () => short((await following.next()).value as FollowedItem)
  expect([await next(), await next()]).toEqual([0, 1])
  const lost = next()
  await appendEvents(db, { episodeId, clock, events: [reasoned('lost')] })
  await appendEvents(db, { episodeId, clock, events: [reasoned('heard')] })
  const episodes = heard.find(({ channel }) => channel === 'episode')
  episodes?.notify(`${episodeId}:3`)
  expect([await lost, await next()]).toEqual([2, 3])
  const missed = next()
  await appendEvents(db, { episodeId, clock, events: [finished] })
  episodes?.reconnect()
  expect(await missed).toBe(4)
  expect((await following.next()).done).toBe(true)
})

test('follows a connection that Postgres cuts', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  const following = followEpisode({ db, listener, episodeId, fromSeq: 2, signal: new AbortController().signal })
  const first = following.next()
  await appendEvents(db, { episodeId, clock, events: [reasoned('before')] })
  expect(short((await first).value as FollowedItem)).toBe(2)
  const second = following.next()
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tapline listener' and datname = current_database()`
  await appendEvents(db, { episodeId, clock, events: [finished] })
  expect(short((await second).value as FollowedItem)).toBe(3)
})

test('ends when it is aborted, and at once for an episode that has ended', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  const stop = new AbortController()
  const following = followEpisode({ db, listener, episodeId, fromSeq: 2, signal: stop.signal })
  const waiting = following.next()
  stop.abort()
  expect((await waiting).done).toBe(true)
  await appendEvents(db, { episodeId, clock, events: [finished] })
  const late = followEpisode({ db, listener, episodeId, fromSeq: 3, signal: new AbortController().signal })
  expect((await late.next()).done).toBe(true)
})

test('refuses an episode that is not there', async () => {
  const episodeId = '01900000-0000-7000-8000-000000000000'
  const following = followEpisode({
    db: database.db,
    listener,
    episodeId,
    fromSeq: 0,
    signal: new AbortController().signal,
  })
  await expect(following.next()).rejects.toMatchObject({ code: 'not-found' })
})

test('long reasoning of any characters goes out in pieces that fit a notice', async () => {
  const { db } = database
  const episodeId = await sampleEpisode(db, { by })
  const text = `${'\u0001"\\'.repeat(800)}${'林😀'.repeat(800)}`
  const following = followEpisode({ db, listener, episodeId, fromSeq: 2, signal: new AbortController().signal })
  const first = following.next()
  // Listening has started once the follower hears of an event.
  await appendEvents(db, { episodeId, clock, events: [reasoned('start')] })
  await first
  await speakReasoning(db, { episodeId, afterSeq: 2, text })
  let heard = ''
  while (heard.length < text.length) heard += short((await following.next()).value as FollowedItem)
  expect(heard).toBe(text)
  await following.return()
})
