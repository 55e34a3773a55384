import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { devices } from '@/db/schema/device'
import { workers } from '@/db/schema/queue'
import { episodes } from '@/db/schema/trajectory'
import { openAdb } from '@/server/device/adb/open-adb'
import { readState } from '@/server/environment/backends/phone-shell'
import { parsePhoneData } from '@/server/environment/suite/messages-data'
import { taskInstance } from '@/server/environment/suite/task-list'
import { createListener, type Listener } from '@/server/platform/notify'
import { testDatabase } from '@/server/platform/testing/test-database'
import type { FoldedEpisode, StepCall } from '@/server/trajectory/contract'
import { followEpisode } from '@/server/trajectory/follow-episode'
import { emptyEpisode, foldEvent } from '@/server/trajectory/model/fold'
import { samplePerson } from '@/server/trajectory/testing/sample-episode'
import { answerQuestion } from './answer-question'
import { controlEpisode } from './control-episode'
import { startEpisode } from './start-episode'
import { bundleBins, freePort, startBin, type TestChild } from './testing/child-process'

const withinMs = 60_000
const clock = () => Date.now()
const running = new Set<TestChild>()
const startedWorkers = new Set<TestChild>()
let database: Awaited<ReturnType<typeof testDatabase>>
let listener: Listener
let folder: string
let env: Record<string, string>
let deviceId: string
let phoneAddress: string
let by: { id: string; name: string }

function start(name: string, more: Record<string, string> = {}): TestChild {
  const child = startBin(name, { ...env, ...more })
  running.add(child)
  return child
}

async function startWorker(): Promise<TestChild> {
  const worker = start('worker')
  startedWorkers.add(worker)
  await worker.waitForLog('worker is ready')
  return worker
}

beforeAll(async () => {
  await bundleBins(['phone', 'gateway', 'worker'])
  database = await testDatabase()
  listener = createListener(database.url)
  folder = await mkdtemp(join(tmpdir(), 'tapline-kill-'))
  env = {
    DATABASE_URL: database.url,
    TAPLINE_DATA: folder,
    TAPLINE_SECRET: randomBytes(16).toString('hex'),
    TAPLINE_HOST_ID: 'kill-host',
    TAPLINE_GATEWAY_PORT: String(await freePort()),
    TAPLINE_PHONES: '',
  }
  by = await samplePerson(database.db)
  const phone = start('phone', { TAPLINE_PHONE_SERIAL: 'KILL0001' })
  phoneAddress = `127.0.0.1:${Number((await phone.waitForLog('phone is up'))['listening'])}`
  const gateway = start('gateway', { TAPLINE_DEVICES: phoneAddress })
  await gateway.waitForLog('gateway is ready')
  deviceId = await vi.waitUntil(async () => {
    const [device] = await database.db.select().from(devices).where(eq(devices.state, 'online'))
    return device?.id
  }, 20_000)
}, 90_000)

afterEach(async () => {
  await Promise.all([...startedWorkers].map((worker) => worker.stop()))
  startedWorkers.clear()
})

afterAll(async () => {
  await Promise.all([...running].map((child) => child.stop()))
  await listener?.close()
  await database?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
}, 30_000)

/** Resolves with the first fold for which `isDone` holds. */
async function waitFor(episodeId: string, isDone: (episode: FoldedEpisode) => boolean): Promise<FoldedEpisode> {
  const stop = new AbortController()
  const options = { db: database.db, listener, episodeId, fromSeq: 0, signal: stop.signal }
  let state = emptyEpisode()
  try {
    for await (const item of followEpisode(options)) {
      if (item.type !== 'event') continue
      state = foldEvent(state, item.event)
      if (isDone(state)) return state
    }
    throw new Error(`The episode ended before that: ${state.finished?.status}, ${state.finished?.reason}`)
  } finally {
    stop.abort()
  }
}

async function startTellLin(seed: number): Promise<string> {
  const input = { deviceId, taskId: 'messages-tell-lin', seed, planner: 'demonstration' as const }
  const { episodeId } = await startEpisode({ db: database.db, clock, by, input })
  return episodeId
}

const callsOf = (episode: FoldedEpisode): StepCall[] => episode.steps.flatMap((step) => step.calls)
const isSend = (call: StepCall) => call.tool === 'tap' && call.arguments['target'] === 'send'

async function sentMessages(text: string): Promise<number> {
  const adb = await openAdb(phoneAddress)
  try {
    const state = await readState(adb, new AbortController().signal)
    const { messages } = parsePhoneData(state?.data)
    return messages.threads.flatMap((thread) => thread.messages).filter((message) => message.text === text).length
  } finally {
    await adb.close()
  }
}

/** Kills the worker that holds the episode, and says who is left. */
async function killHolder(episodeId: string, candidates: TestChild[]): Promise<TestChild[]> {
  const [holder] = await database.db
    .select({ pid: workers.pid })
    .from(workers)
    .innerJoin(episodes, eq(episodes.workerId, workers.id))
    .where(eq(episodes.id, episodeId))
  const victim = candidates.find(({ pid }) => pid === holder?.pid)
  if (!victim) throw new Error('No worker of ours holds the episode')
  await victim.kill()
  return candidates.filter((child) => child !== victim)
}

test('another worker goes on from the log of one that was killed while it tapped Send: one message, the device free', async () => {
  const pair = [await startWorker(), await startWorker()]
  const seed = 3
  const task = taskInstance('messages-tell-lin', seed)
  const episodeId = await startTellLin(seed)
  const asked = await waitFor(episodeId, (episode) => episode.question !== null)
  await answerQuestion({
    db: database.db,
    clock,
    episodeId,
    callId: asked.question?.callId ?? '',
    text: task.expectedAnswer ?? '',
    by,
  })
  await waitFor(episodeId, (episode) => callsOf(episode).some(isSend))
  const killedAt = Date.now()
  const left = await killHolder(episodeId, pair)
  expect(left).toHaveLength(1)
  const done = await waitFor(episodeId, (episode) => episode.finished !== null)
  expect(Date.now() - killedAt).toBeLessThan(withinMs)

  expect(done.finished).toMatchObject({ status: 'succeeded', verdict: { outcome: 'succeeded' } })
  expect(await sentMessages(task.request.replace('Tell Lin ', ''))).toBe(1)
  const calls = callsOf(done)
  for (const call of calls) expect(call.result).not.toBeNull()
  // After a Send, cut off or not, the conversation is read before anything else is done; a second Send is only there
  // because the first, cut off, turned out to have done nothing.
  const sends = calls.flatMap((call, index) => (isSend(call) ? [{ call, next: calls[index + 1]?.tool }] : []))
  for (const { next } of sends) expect(next).toBe('messages.read_thread')
  for (const { call } of sends.slice(0, -1)) expect(call.result?.code).toBe('unknown-outcome')

  // The device is free.
  const next = await startTellLin(4)
  await controlEpisode({ db: database.db, clock, episodeId: next, action: 'stop', note: null, by })
  await waitFor(next, (episode) => episode.finished !== null)
}, 150_000)

test('a worker that starts after the only one was killed in the middle of a thought goes on', async () => {
  const first = await startWorker()
  const episodeId = await startTellLin(5)
  await waitFor(episodeId, (episode) => episode.steps.length === 2)
  expect(await killHolder(episodeId, [first])).toEqual([])
  await startWorker()
  const asked = await waitFor(episodeId, (episode) => episode.question !== null)
  expect(callsOf(asked).filter(({ tool }) => tool === 'messages.search_contacts')).toHaveLength(1)
  expect(asked.steps.flatMap(({ feedback }) => feedback.map(({ kind }) => kind))).toContain('resumed')
  await controlEpisode({ db: database.db, clock, episodeId, action: 'stop', note: null, by })
}, 150_000)
