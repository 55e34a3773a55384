import { fork } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from '../log'
import { bundleForChild } from '../testing/bundle-for-child'
import { testDatabase } from '../testing/test-database'
import { enqueueJob } from './enqueue'
import { defineJobs } from './jobs'
import { type JobContext, runWorker, type RunWorkerOptions } from './run-worker'
import { insertWorker } from './store'

const log = createLogger('queue test', { write: () => undefined })
const jobs = defineJobs({ 'test.sleep': z.object({ note: z.string() }) })

let database: Awaited<ReturnType<typeof testDatabase>>
let stopping: AbortController
const running: Promise<void>[] = []
beforeEach(async () => {
  database = await testDatabase()
  stopping = new AbortController()
})
afterEach(async () => {
  stopping.abort()
  await Promise.allSettled(running.splice(0))
  await database.close()
})

/** A worker whose jobs arrive in a list that can be awaited. */
function startWorker(options: Partial<RunWorkerOptions<typeof jobs>> = {}) {
  const taken: string[] = []
  const waiting: { note: string; resolve: () => void }[] = []
  const handler = async ({ note }: { note: string }, _context: JobContext) => {
    taken.push(note)
    for (const waiter of waiting) if (waiter.note === note) waiter.resolve()
  }
  const done = runWorker({
    databaseUrl: database.url,
    workerId: 'w1',
    hostId: 'test',
    taskSchemas: jobs,
    handlers: { 'test.sleep': handler },
    concurrency: 2,
    signal: stopping.signal,
    log,
    ...options,
  })
  done.catch(() => undefined)
  running.push(done)
  const until = (note: string) =>
    taken.includes(note)
      ? Promise.resolve()
      : Promise.race([new Promise<void>((resolve) => waiting.push({ note, resolve })), done])
  return { taken, until, done }
}

test('a job of a transaction that is rolled back never runs, one that commits does', async () => {
  const worker = startWorker()
  await expect(
    database.db.transaction(async (tx) => {
      await enqueueJob(tx, 'test.sleep', { note: 'rolled back' })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await database.db.transaction((tx) => enqueueJob(tx, 'test.sleep', { note: 'committed' }))
  await worker.until('committed')
  expect(worker.taken).toEqual(['committed'])
  expect(await database.sql`select 1 from graphile_worker._private_jobs where locked_at is null`).toHaveLength(0)
})

test('a job of a killed worker is unlocked and runs on another, and its owner is told', async () => {
  const bundle = await bundleForChild('server/platform/testing/sleeping-worker.ts')
  const child = fork(bundle.path, [database.url, 'victim'], { stdio: 'ignore' })
  try {
    await enqueueJob(database.db, 'test.sleep', { note: 'orphan' })
    expect((await once(child, 'message'))[0]).toEqual({ taken: 'orphan' })
    const [row] = await database.sql`
      select locked_by, graphile_ids from graphile_worker._private_jobs, workers where workers.id = 'victim'`
    expect(row?.['graphile_ids']).toEqual([row?.['locked_by']])

    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const lost: string[] = []
    const worker = startWorker({ onWorkerLost: async (id) => void lost.push(id) })
    await worker.until('orphan')
    expect(lost).toEqual(['victim'])
    expect(await database.sql`select id from workers`).toEqual([{ id: 'w1' }])
  } finally {
    child.kill('SIGKILL')
    await bundle.remove()
  }
})

test('a silent worker of another machine is taken for dead by the sweep', async () => {
  const lost = new Promise<string>((resolve) => {
    startWorker({ sweepMs: 50, silentMs: 30_000, onWorkerLost: async (id) => resolve(id) })
  })
  const far = { hostId: 'far', pid: 1, machineId: 'elsewhere', graphileIds: ['pool-far'] }
  await insertWorker(database.db, { id: 'alive', ...far })
  await insertWorker(database.db, { id: 'silent', ...far })
  await database.sql`update workers set seen_at = seen_at - 31000 where id = 'silent'`
  expect(await lost).toBe('silent')
  expect(await database.sql`select id from workers where host_id = 'far'`).toEqual([{ id: 'alive' }])
})

test('a worker that was taken for dead stops', async () => {
  const worker = startWorker({ heartbeatMs: 20 })
  await enqueueJob(database.db, 'test.sleep', { note: 'first' })
  await worker.until('first')
  await database.sql`delete from workers`
  await expect(worker.done).rejects.toMatchObject({ code: 'gone' })
})

test('a stop interrupts a job, which is due again at once and without a lost attempt', async () => {
  const own = new AbortController()
  const isRunning = new Promise<void>((resolve, reject) => {
    const handler = async (_payload: unknown, { signal }: JobContext) => {
      resolve()
      await new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error)))
    }
    startWorker({ handlers: { 'test.sleep': handler }, signal: own.signal }).done.catch(reject)
  })
  await enqueueJob(database.db, 'test.sleep', { note: 'long' })
  await isRunning
  own.abort()
  await running[0]
  const jobsLeft =
    await database.sql`select attempts, locked_by, run_at <= now() as is_due from graphile_worker._private_jobs`
  expect(jobsLeft).toEqual([{ attempts: 0, locked_by: null, is_due: true }])
  expect(await database.sql`select id from workers`).toEqual([])
})

test('the queue host:<id> is taken by workers of that host only', async () => {
  const here = startWorker({ workerId: 'here', hostId: 'here' })
  await enqueueJob(database.db, 'test.sleep', { note: 'for there' }, { queueName: 'host:there' })
  await enqueueJob(database.db, 'test.sleep', { note: 'for here' }, { queueName: 'host:here' })
  await here.until('for here')
  await enqueueJob(database.db, 'test.sleep', { note: 'for all' })
  await here.until('for all')
  expect(here.taken).not.toContain('for there')
  const there = startWorker({ workerId: 'there', hostId: 'there' })
  await there.until('for there')
})

test('a waiting job with the same key is replaced', async () => {
  await enqueueJob(database.db, 'test.sleep', { note: 'old' }, { jobKey: 'k' })
  await enqueueJob(database.db, 'test.sleep', { note: 'new' }, { jobKey: 'k' })
  const worker = startWorker()
  await worker.until('new')
  expect(worker.taken).toEqual(['new'])
})

test('a payload that does not fit fails the job, and the handler never sees it', async () => {
  const worker = startWorker()
  await enqueueJob(database.db, 'test.sleep', { wrong: true }, { maxAttempts: 1 })
  await enqueueJob(database.db, 'test.sleep', { note: 'after' })
  await worker.until('after')
  stopping.abort()
  await worker.done
  const [row] = await database.sql`select last_error from graphile_worker._private_jobs`
  expect(row?.['last_error']).toContain('Payload of job test.sleep')
  expect(worker.taken).toEqual(['after'])
})

test('a declared job without a handler stops the worker before it takes anything', async () => {
  const declared = defineJobs({ ...jobs, 'test.forgotten': z.object({}) })
  const handlers = { 'test.sleep': async () => undefined } as never
  const starting = runWorker({
    databaseUrl: database.url,
    workerId: 'w1',
    hostId: 'test',
    taskSchemas: declared,
    handlers,
    concurrency: 1,
    signal: stopping.signal,
    log,
  })
  await expect(starting).rejects.toThrow('test.forgotten')
})
