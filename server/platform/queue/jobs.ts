import type { z } from 'zod'

/** Every job a domain declares: its name and the schema of its payload. */
export type JobSchemas = Record<string, z.ZodType<Record<string, unknown>>>

/** Keeps the names and payload types of a domain's jobs; `defineJobs({ 'bench.score': z.object({ … }) })`. */
export function defineJobs<const Schemas extends JobSchemas>(schemas: Schemas): Schemas {
  return schemas
}

export type JobName<Schemas extends JobSchemas> = keyof Schemas & string
export type JobPayload<Schemas extends JobSchemas, Name extends JobName<Schemas>> = z.infer<Schemas[Name]>

const hostQueue = /^host:(.+)$/

/**
 * The graphile-worker task of a job. A job on the queue `host:<id>` has a task name of its own, so that only workers of
 * that host take it, several at a time; every other queue runs its jobs one after the other, anywhere.
 */
export function taskOf(name: string, queueName: string | undefined): { task: string; serialQueue: string | null } {
  const hostId = hostQueue.exec(queueName ?? '')?.[1]
  return hostId === undefined
    ? { task: name, serialQueue: queueName ?? null }
    : { task: `${name}@${hostId}`, serialQueue: null }
}
