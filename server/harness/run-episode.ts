import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '@/db/client'
import type { EnvironmentSession, OpenEnvironment, TaskInstance } from '@/server/environment/contract'
import type { BlobStore } from '@/server/platform/blobs'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import type { Logger } from '@/server/platform/log'
import type { Listener } from '@/server/platform/notify'
import type { PlannerKind } from '@/server/trajectory/contract'
import type { Planner } from './contract'
import { enqueueEpisode } from './enqueue-episode'
import { readInitialData } from './loop/initial-data'
import { type EpisodeLog, openEpisodeLog } from './loop/episode-log'
import { finishInterrupted, finishStopped } from './loop/finish-episode'
import { haltOf } from './loop/halt'
import { runSteps } from './loop/run-steps'
import { claimEpisode, clearWorker, lockHeldEpisode, readDevice } from './store'

export type EpisodeServices = {
  db: Database
  blobs: BlobStore
  listener: Listener
  clock: Clock
  log: Logger
  workerId: string
  openEnvironment: OpenEnvironment
  taskInstance: (taskId: string, seed: number) => TaskInstance
  planners: Record<PlannerKind, Planner>
  /** How long to try to reach the device before the episode is interrupted. */
  reopenWithinMs?: number
}

const retryMs = 500
/** A device that comes back and goes again this often is not one to work with. */
const mostReopenings = 5
const mostAttempts = 3

/**
 * Runs an episode on until it ends or waits for a person: the job `harness.continue-episode`. Everything it knows is
 * rebuilt from the log, so any worker can go on where another stopped. It does nothing when another job holds the episode.
 * Rejects when the signal aborts, leaving the log as it is, or when something fails that a later attempt may not.
 */
export async function runEpisode(
  services: EpisodeServices,
  job: { episodeId: string; attempt: number },
  signal: AbortSignal,
): Promise<void> {
  const { db, workerId } = services
  const { episodeId } = job
  if (!(await claimEpisode(db, { episodeId, workerId }))) return
  let log: EpisodeLog | null = null
  let hasFailed = false
  try {
    log = await openEpisodeLog({ db, listener: services.listener, clock: services.clock, episodeId, workerId })
    await continueEpisode(services, episodeId, log, signal)
  } catch (error) {
    hasFailed = true
    if (signal.aborted || !log || job.attempt < mostAttempts) throw error
    services.log.error({ err: error, episodeId }, 'episode given up')
    const said = error instanceof TaplineError ? error.message : 'Something went wrong in the harness.'
    await finishInterrupted(log, `${said} It was tried ${job.attempt} times.`)
  } finally {
    await log?.close()
    await release(services, episodeId, { mayContinue: !hasFailed })
  }
}

/** Lets the episode go. A person who acted while it was held has made it due again: nobody else would take it up. */
async function release(
  { db, workerId }: EpisodeServices,
  episodeId: string,
  { mayContinue }: { mayContinue: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const episode = await lockHeldEpisode(tx, episodeId)
    if (!episode || episode.workerId !== workerId) return
    await clearWorker(tx, { episodeId, workerId })
    if (mayContinue && episode.status === 'queued' && episode.finishedAt === null) await enqueueEpisode(tx, episode)
  })
}

async function continueEpisode(
  services: EpisodeServices,
  episodeId: string,
  log: EpisodeLog,
  signal: AbortSignal,
): Promise<void> {
  for (let opening = 0; opening <= mostReopenings; opening++) {
    const session = await openSession(services, episodeId, log, signal)
    if (session === null) return
    let end: Awaited<ReturnType<typeof runSteps>>
    try {
      end = await runSteps({ ...services, episodeId, log, session }, signal)
    } finally {
      await session.close()
    }
    if (end !== 'device-gone') return
    services.log.warn({ episodeId }, 'the device went away; opening it again')
  }
  await finishInterrupted(log, `The device went away ${mostReopenings + 1} times.`)
}

/** Null when there is nothing to open: somebody stopped or parked the episode, or the device can't be reached. */
async function openSession(
  services: EpisodeServices,
  episodeId: string,
  log: EpisodeLog,
  signal: AbortSignal,
): Promise<EnvironmentSession | null> {
  const { db, clock, openEnvironment } = services
  const withinMs = services.reopenWithinMs ?? 30_000
  const startedAt = clock()
  const { started } = log.state()
  if (!started) throw new TaplineError('internal', `The log of episode ${episodeId} does not start.`)
  for (;;) {
    await log.refresh()
    const halt = haltOf(log.state())
    if (halt === 'stop') await finishStopped(log)
    if (halt !== null) return null

    const leftMs = withinMs - (clock() - startedAt)
    const changed = new AbortController()
    const unwatch = log.onChange(() => haltOf(log.state()) !== null && changed.abort())
    const within = AbortSignal.any([signal, changed.signal, AbortSignal.timeout(Math.max(1, leftMs))])
    try {
      const device = started.device && (await readDevice(db, started.device.id))
      if (!device) throw new TaplineError('unavailable', 'The device is not known any more.')
      const opening = {
        episodeId,
        task: services.taskInstance(started.task.id, started.task.seed),
        device: { id: device.id, name: device.name, address: device.address },
        resume: await readInitialData(services, episodeId),
      }
      return await openEnvironment(opening, within)
    } catch (error) {
      signal.throwIfAborted()
      if (changed.signal.aborted) continue
      if (clock() - startedAt + retryMs >= withinMs) {
        const why = error instanceof TaplineError ? error.message : 'It did not answer in time.'
        services.log.warn({ err: error, episodeId }, 'the device can not be opened')
        await finishInterrupted(log, `The device could not be opened within ${Math.round(withinMs / 1_000)} s. ${why}`)
        return null
      }
      await wait(retryMs, undefined, { signal })
    } finally {
      unwatch()
    }
  }
}
