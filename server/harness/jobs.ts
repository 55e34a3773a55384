import { z } from 'zod'
import { defineJobs } from '@/server/platform/queue/jobs'

/** Runs an episode on until it ends or waits for a person. On the queue `host:<id>` of the device's machine. */
export const continueEpisodeJob = 'harness.continue-episode'

export const harnessJobs = defineJobs({
  [continueEpisodeJob]: z.object({ episodeId: z.uuid() }),
})
