import { inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { workers } from '@/db/schema/queue'

export type NewJob = {
  task: string
  payload: Record<string, unknown>
  serialQueue: string | null
  jobKey: string | null
  runAt: Date | null
  maxAttempts: number | null
}

export async function addJob(tx: Database | Transaction, job: NewJob): Promise<void> {
  await tx.execute(sql`select graphile_worker.add_job(
    ${job.task},
    ${JSON.stringify(job.payload)}::json,
    ${job.serialQueue}::text,
    ${job.runAt?.toISOString() ?? null}::timestamptz,
    ${job.maxAttempts}::integer,
    ${job.jobKey}::text
  )`)
}

/** The database's clock in epoch ms: workers on several machines compare their signs of life by one clock. */
const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

export type WorkerRow = { id: string; hostId: string; pid: number; machineId: string; graphileIds: string[] }

export async function insertWorker(db: Database, worker: WorkerRow): Promise<void> {
  await db.insert(workers).values({ ...worker, startedAt: databaseNow, seenAt: databaseNow })
}

/** Writes a sign of life; false when the row is gone, i.e. others have declared this worker lost. */
export async function touchWorker(db: Database, id: string): Promise<boolean> {
  const touched = await db
    .update(workers)
    .set({ seenAt: databaseNow })
    .where(sql`${workers.id} = ${id}`)
    .returning({ id: workers.id })
  return touched.length === 1
}

/** Locks the rows of the workers that look lost: silent for `silentMs`, or on this machine with a pid that is gone. */
export async function lockLostWorkers(
  tx: Transaction,
  options: { silentMs: number; isGone: (worker: { machineId: string; pid: number }) => boolean },
): Promise<WorkerRow[]> {
  const rows = await tx
    .select({
      id: workers.id,
      hostId: workers.hostId,
      pid: workers.pid,
      machineId: workers.machineId,
      graphileIds: workers.graphileIds,
      isSilent: sql<boolean>`${workers.seenAt} < ${databaseNow} - ${options.silentMs}::bigint`,
    })
    .from(workers)
    .for('update', { skipLocked: true })
  return rows.filter((row) => row.isSilent || options.isGone(row))
}

export async function unlockAndDeleteWorkers(tx: Transaction, lost: readonly WorkerRow[]): Promise<void> {
  const graphileIds = lost.flatMap((worker) => worker.graphileIds)
  await tx.execute(sql`select graphile_worker.force_unlock_workers(${sql.param(graphileIds)}::text[])`)
  await deleteWorkers(
    tx,
    lost.map((worker) => worker.id),
  )
  // Unlocking announces nothing: without this the jobs would wait for somebody's next poll.
  await tx.execute(sql`select pg_notify('jobs:insert', '{"count":1}')`)
}

export async function deleteWorkers(tx: Database | Transaction, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(workers).where(inArray(workers.id, ids))
}

/** Makes an interrupted job due again at once, its attempt not counted. */
export async function rescheduleInterruptedJob(db: Database, job: { id: string; attempts: number }): Promise<void> {
  await db.execute(
    sql`select graphile_worker.reschedule_jobs(array[${job.id}::bigint], run_at => now(), attempts => ${job.attempts - 1}::integer)`,
  )
}
