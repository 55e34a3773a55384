import type { Database, Transaction } from '@/db/client'
import { taskOf } from './jobs'
import { addJob } from './store'

export type EnqueueOptions = {
  /** `host:<id>`: run by a worker of that host. Any other name: jobs of that name run one after the other. */
  queueName?: string
  /** A waiting job with this key is replaced; one that already runs is left alone and a new one is added. */
  jobKey?: string
  /** Epoch ms. */
  runAt?: number
  /** 25 by default, with exponential back-off. */
  maxAttempts?: number
}

/** Adds a job in the caller's transaction: it exists, and is announced to the workers, when that commits. */
export async function enqueueJob(
  tx: Database | Transaction,
  name: string,
  payload: Record<string, unknown>,
  options: EnqueueOptions = {},
): Promise<void> {
  const { task, serialQueue } = taskOf(name, options.queueName)
  await addJob(tx, {
    task,
    payload,
    serialQueue,
    jobKey: options.jobKey ?? null,
    runAt: options.runAt === undefined ? null : new Date(options.runAt),
    maxAttempts: options.maxAttempts ?? null,
  })
}
