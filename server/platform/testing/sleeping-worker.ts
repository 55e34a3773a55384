import { z } from 'zod'
import { createLogger } from '../log'
import { defineJobs } from '../queue/jobs'
import { runWorker } from '../queue/run-worker'

/** A worker for tests: takes `test.sleep` and never finishes it; tells its parent when it has taken one. */
const jobs = defineJobs({ 'test.sleep': z.object({ note: z.string() }) })
const [databaseUrl = '', workerId = ''] = process.argv.slice(2)

await runWorker({
  databaseUrl,
  workerId,
  hostId: 'test',
  taskSchemas: jobs,
  handlers: {
    'test.sleep': async ({ note }, { signal }) => {
      process.send?.({ taken: note })
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    },
  },
  concurrency: 2,
  signal: new AbortController().signal,
  log: createLogger('sleeping worker'),
})
