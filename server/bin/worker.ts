import { createCredentialStore } from '@/server/device/adb/credential-store'
import { deviceEnvironment } from '@/server/environment/backends/device'
import { taskInstance } from '@/server/environment/suite/task-list'
import { continueEpisodeJob, harnessJobs } from '@/server/harness/jobs'
import { createDemonstrationPlanner } from '@/server/harness/planners/demonstration'
import { recoverEpisodes } from '@/server/harness/recover-episodes'
import { runEpisode } from '@/server/harness/run-episode'
import { readEnvironment } from '@/server/platform/env'
import { newId } from '@/server/platform/ids'
import { exitWithParent } from '@/server/platform/parent-watch'
import { stopSignal } from '@/server/platform/stop-signal'
import { runWorker } from '@/server/platform/queue/run-worker'
import { runCommand } from '@/server/platform/run-command'
import { openServices } from '@/server/platform/services'

/** Episodes wait for phones most of the time; one process serves a handful of devices. */
const concurrency = 8

await runCommand(async () => {
  exitWithParent()
  const stopping = stopSignal()
  const environment = readEnvironment()
  const services = await openServices('worker', environment)
  const { hostId } = environment
  const workerId = newId()
  const episodeServices = {
    ...services,
    workerId,
    taskInstance,
    openEnvironment: deviceEnvironment({
      gatewayUrl: `ws://127.0.0.1:${environment.gatewayPort}`,
      agentToken: services.agentToken,
      credentialStore: createCredentialStore(environment.dataFolder),
      clock: services.clock,
    }),
    planners: { demonstration: createDemonstrationPlanner({ taskInstance }) },
  }
  const recover = async () => {
    await recoverEpisodes({ ...services, hostId })
  }
  await recover()
  await runWorker({
    databaseUrl: services.databaseUrl,
    workerId,
    hostId,
    taskSchemas: harnessJobs,
    handlers: {
      [continueEpisodeJob]: ({ episodeId }, { attempt, signal }) =>
        runEpisode(episodeServices, { episodeId, attempt }, signal),
    },
    concurrency,
    signal: stopping,
    log: services.log,
    onWorkerLost: recover,
  })
  await services.close()
})
process.exit()
