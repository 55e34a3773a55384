import { EventEmitter } from 'node:events'
import { Logger as GraphileLogger, run, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker'
import { type OpenedDatabase, openDatabase } from '@/db/client'
import { TaplineError } from '../errors'
import type { Logger } from '../log'
import type { JobName, JobPayload, JobSchemas } from './jobs'
import { machineId as thisMachine } from '../machine'
import { recoverWorkers } from './recover-workers'
import { deleteWorkers, insertWorker, rescheduleInterruptedJob, touchWorker } from './store'

export type JobContext = {
  jobId: string
  /** From 1. */
  attempt: number
  /** Aborts when the worker stops: a handler then rejects, and its job is due again at once. */
  signal: AbortSignal
  log: Logger
}
export type JobHandlers<Schemas extends JobSchemas> = {
  [Name in JobName<Schemas>]: (payload: JobPayload<Schemas, Name>, context: JobContext) => Promise<void>
}

export type RunWorkerOptions<Schemas extends JobSchemas> = {
  databaseUrl: string
  workerId: string
  hostId: string
  taskSchemas: Schemas
  handlers: JobHandlers<Schemas>
  /** Jobs at the same time. */
  concurrency: number
  /** Stops the worker. */
  signal: AbortSignal
  log: Logger
  /** Called once for each worker that was found dead, after its jobs were unlocked. */
  onWorkerLost?: (workerId: string) => Promise<void>
  /** How often it gives a sign of life, how often it looks for dead ones, and when one counts as dead. */
  heartbeatMs?: number
  sweepMs?: number
  silentMs?: number
}

/**
 * Takes jobs until the signal aborts. Rejects with `internal` before it takes any when a declared job has no handler,
 * and with `gone` when others took this worker for dead (its jobs run elsewhere by then): the process should exit.
 */
export async function runWorker<Schemas extends JobSchemas>(options: RunWorkerOptions<Schemas>): Promise<void> {
  requireHandlers(options)
  const database = openDatabase(options.databaseUrl, { max: 3 })
  try {
    await workUntilStopped(options, database)
  } finally {
    await database.close()
  }
}

function requireHandlers<Schemas extends JobSchemas>(options: RunWorkerOptions<Schemas>): void {
  const missing = Object.keys(options.taskSchemas).filter((name) => typeof options.handlers[name] !== 'function')
  if (missing.length > 0) throw new TaplineError('internal', `The worker has no handler for: ${missing.join(', ')}.`)
}

async function workUntilStopped<Schemas extends JobSchemas>(
  options: RunWorkerOptions<Schemas>,
  { db }: OpenedDatabase,
): Promise<void> {
  const { log, workerId, hostId } = options
  const machineId = thisMachine()
  const stopping = new AbortController()
  const interrupted: { id: string; attempts: number }[] = []
  // graphile-worker locks jobs with the id of its pool, not with those of the workers in it.
  let poolId: string | null = null
  const events: WorkerEvents = new EventEmitter()
  events.once('pool:create', ({ workerPool }) => (poolId = workerPool.id))

  const sweep = async () => {
    const lost = await recoverWorkers(db, { silentMs: options.silentMs ?? 30_000, machineId })
    for (const id of lost) {
      log.warn({ lostWorkerId: id }, 'a worker died; its jobs were unlocked')
      await options.onWorkerLost?.(id)
    }
  }
  await sweep()
  if (options.signal.aborted) return

  // Paused until our row is written: a job must never be locked by an id that nobody can look up.
  let setRegistered: () => void = () => undefined
  const registered = new Promise<void>((resolve) => (setRegistered = resolve))
  const runner = await run({
    connectionString: options.databaseUrl,
    concurrency: options.concurrency,
    maxPoolSize: options.concurrency + 2,
    noHandleSignals: true,
    pollInterval: 2_000,
    gracefulShutdownAbortTimeout: 2_500,
    parsedCronItems: [],
    events,
    logger: graphileLogger(log),
    forbiddenFlags: async () => {
      await registered
      return null
    },
    taskList: taskList(options, stopping.signal, interrupted),
  })
  const timers: NodeJS.Timeout[] = []
  let failure: TaplineError | null = null
  const stop = async () => {
    if (stopping.signal.aborted) return
    stopping.abort(new TaplineError('unavailable', 'The worker is stopping.'))
    setRegistered()
    await stopRunner(runner)
  }
  const onAbort = () => void stop()
  options.signal.addEventListener('abort', onAbort)
  try {
    if (poolId === null) throw new TaplineError('internal', 'graphile-worker made no pool.')
    await insertWorker(db, { id: workerId, hostId, pid: process.pid, machineId, graphileIds: [poolId] })
    setRegistered()
    log.info({ workerId, hostId, concurrency: options.concurrency }, 'worker is ready')
    const every = (ms: number, what: string, action: () => Promise<void>) => {
      let isRunning = false
      const tick = async () => {
        if (isRunning || stopping.signal.aborted) return
        isRunning = true
        try {
          await action()
        } catch (error) {
          log.warn({ err: error }, `${what} failed; trying again in ${ms} ms`)
        } finally {
          isRunning = false
        }
      }
      timers.push(setInterval(() => void tick(), ms))
    }
    every(options.heartbeatMs ?? 5_000, 'heartbeat', async () => {
      if (await touchWorker(db, workerId)) return
      failure = new TaplineError('gone', `Worker ${workerId} was silent too long and was taken for dead.`)
      await stop()
    })
    every(options.sweepMs ?? 10_000, 'looking for dead workers', sweep)
    if (options.signal.aborted) await stop()
    await runner.promise
  } finally {
    for (const timer of timers) clearInterval(timer)
    options.signal.removeEventListener('abort', onAbort)
    await stop()
    for (const job of interrupted) await rescheduleInterruptedJob(db, job)
    await deleteWorkers(db, [workerId])
  }
  if (failure !== null) throw failure as TaplineError
}

/** `runner.stop` rejects when it has already stopped by itself; its promise then says why. */
async function stopRunner(runner: Runner): Promise<void> {
  await runner.stop().catch(() => undefined)
}

function taskList<Schemas extends JobSchemas>(
  options: RunWorkerOptions<Schemas>,
  signal: AbortSignal,
  interrupted: { id: string; attempts: number }[],
): TaskList {
  const tasks: TaskList = {}
  for (const name of Object.keys(options.taskSchemas) as JobName<Schemas>[]) {
    const schema = options.taskSchemas[name]
    const handler = options.handlers[name]
    if (!schema) continue
    const task: TaskList[string] = async (payload: unknown, { job }) => {
      const log = options.log.child({ job: name, jobId: job.id })
      const parsed = schema.safeParse(payload)
      if (!parsed.success) throw new TaplineError('bad-input', `Payload of job ${name}: ${parsed.error.message}`)
      try {
        signal.throwIfAborted()
        await handler(parsed.data as JobPayload<Schemas, typeof name>, {
          jobId: job.id,
          attempt: job.attempts,
          signal,
          log,
        })
      } catch (error) {
        if (signal.aborted) interrupted.push({ id: job.id, attempts: job.attempts })
        else log.error({ err: error, attempt: job.attempts }, 'job failed')
        throw error
      }
    }
    tasks[name] = task
    tasks[`${name}@${options.hostId}`] = task
  }
  return tasks
}

/** graphile-worker repeats what our handlers log themselves: only its warnings and errors are passed on. */
function graphileLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    if (level === 'error') log.error({ graphile: true }, message)
    else if (level === 'warning') log.warn({ graphile: true }, message)
    else log.debug({ graphile: true }, message)
  })
}
