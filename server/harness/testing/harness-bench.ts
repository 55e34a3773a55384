import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workers } from '@/db/schema/queue'
import type { EnvironmentSession, OpenEnvironment } from '@/server/environment/contract'
import { taskInstance } from '@/server/environment/suite/task-list'
import { openPhoneSession } from '@/server/environment/testing/phone-session'
import { createDemonstrationPlanner } from '@/server/harness/planners/demonstration'
import { type EpisodeServices, runEpisode } from '@/server/harness/run-episode'
import { startEpisode } from '@/server/harness/start-episode'
import type { PhoneMachine } from '@/server/phone/contract'
import { createPhoneMachine } from '@/server/phone/machine'
import { openBlobStore } from '@/server/platform/blobs'
import { createLogger } from '@/server/platform/log'
import { createListener } from '@/server/platform/notify'
import { testDatabase } from '@/server/platform/testing/test-database'
import type { FoldedEpisode } from '@/server/trajectory/contract'
import { followEpisode } from '@/server/trajectory/follow-episode'
import { foldEpisode, foldEvent, emptyEpisode } from '@/server/trajectory/model/fold'
import { readLog } from '@/server/trajectory/read-log'
import { sampleDevice, samplePerson } from '@/server/trajectory/testing/sample-episode'

export const hostId = 'host-a'

export type HarnessBench = Awaited<ReturnType<typeof openHarnessBench>>

/** The harness on a real database and a phone in this process; jobs are run by hand. */
export async function openHarnessBench() {
  const database = await testDatabase()
  const { db } = database
  const listener = createListener(database.url)
  const folder = await mkdtemp(join(tmpdir(), 'tapline-harness-'))
  const blobs = openBlobStore(folder)
  const clock = () => Date.now()
  const by = await samplePerson(db)
  const machine: PhoneMachine = createPhoneMachine({ seed: 0 })
  const opened: { isNew: boolean }[] = []
  const openEnvironment: OpenEnvironment = async ({ task, resume }) => {
    opened.push({ isNew: resume === null })
    return openPhoneSession(machine, task, { isNew: resume === null, initialData: resume?.initialData })
  }

  const addWorker = (id: string) =>
    db.insert(workers).values({ id, hostId, pid: 1, machineId: 'm', graphileIds: [], startedAt: 1, seenAt: Date.now() })

  const services = (workerId: string, changes: Partial<EpisodeServices> = {}): EpisodeServices => ({
    db,
    blobs,
    listener,
    clock,
    log: createLogger('test harness'),
    workerId,
    openEnvironment,
    taskInstance,
    planners: { demonstration: createDemonstrationPlanner({ taskInstance, charactersPerSecond: Infinity }) },
    ...changes,
  })

  return {
    db,
    database,
    listener,
    by,
    clock,
    machine,
    opened,
    openEnvironment,
    addWorker,
    services,
    device: () => sampleDevice(db, { hostId }),
    start: (deviceId: string, taskId = 'messages-tell-lin', seed = 3) =>
      startEpisode({ db, clock, by, input: { deviceId, taskId, seed, planner: 'demonstration' } }),
    run: (episodeId: string, given: EpisodeServices, signal = new AbortController().signal) =>
      runEpisode(given, { episodeId, attempt: 1 }, signal),
    fold: async (episodeId: string) => foldEpisode(await readLog(db, { episodeId, fromSeq: 0 })),
    /** Resolves with the first fold for which `isDone` holds, as the log grows. */
    async waitFor(episodeId: string, isDone: (episode: FoldedEpisode) => boolean): Promise<FoldedEpisode> {
      const stop = new AbortController()
      let state = emptyEpisode()
      try {
        for await (const item of followEpisode({ db, listener, episodeId, fromSeq: 0, signal: stop.signal })) {
          if (item.type !== 'event') continue
          state = foldEvent(state, item.event)
          if (isDone(state)) return state
        }
        throw new Error(`Episode ${episodeId} ended before that: ${state.status}`)
      } finally {
        stop.abort()
      }
    },
    /** Jobs that wait for a worker, as task and episode. */
    async jobs(): Promise<{ task: string; key: string | null }[]> {
      const rows = await database.sql<{ task_identifier: string; key: string | null }[]>`
        select task_identifier, key from graphile_worker.jobs order by id`
      return rows.map((row) => ({ task: row.task_identifier, key: row.key }))
    },
    async close() {
      await listener.close()
      await database.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** The session with some of it replaced. */
export function withSession(
  open: OpenEnvironment,
  change: (session: EnvironmentSession) => Partial<EnvironmentSession>,
): OpenEnvironment {
  return async (opening, signal) => {
    const session = await open(opening, signal)
    return { ...session, ...change(session) }
  }
}
