import { and, eq, inArray, isNull, notExists, or, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { devices } from '@/db/schema/device'
import { workers } from '@/db/schema/queue'
import { episodes } from '@/db/schema/trajectory'
import type { EpisodeStatus } from '@/server/trajectory/contract'

export type DeviceRow = typeof devices.$inferSelect

export async function readDevice(db: Database | Transaction, id: string): Promise<DeviceRow | null> {
  const [row] = await db.select().from(devices).where(eq(devices.id, id))
  return row ?? null
}

/** The unfinished episode of a device, if any. */
export async function readBusyEpisode(
  db: Database | Transaction,
  deviceId: string,
): Promise<{ id: string; title: string; status: EpisodeStatus } | null> {
  const [row] = await db
    .select({ id: episodes.id, title: episodes.title, status: episodes.status })
    .from(episodes)
    .where(and(eq(episodes.deviceId, deviceId), isNull(episodes.finishedAt)))
  return row ?? null
}

export type HeldEpisode = {
  id: string
  status: EpisodeStatus
  workerId: string | null
  deviceId: string | null
  hostId: string | null
  finishedAt: number | null
}

const held = {
  id: episodes.id,
  status: episodes.status,
  workerId: episodes.workerId,
  deviceId: episodes.deviceId,
  hostId: devices.hostId,
  finishedAt: episodes.finishedAt,
}

/** The episode with its device's host; its row is locked until the transaction ends. */
export async function lockHeldEpisode(tx: Transaction, id: string): Promise<HeldEpisode | null> {
  await tx.select({ id: episodes.id }).from(episodes).where(eq(episodes.id, id)).for('update')
  const [row] = await tx
    .select(held)
    .from(episodes)
    .leftJoin(devices, eq(devices.id, episodes.deviceId))
    .where(eq(episodes.id, id))
  return row ?? null
}

/**
 * Unfinished episodes that nobody living works on although somebody should: held by a worker that is not registered any
 * more, or, with `hostId`, due to run there and held by nobody.
 */
export async function readOrphans(db: Database, hostId: string): Promise<HeldEpisode[]> {
  const isHeldByTheDead = notExists(
    db
      .select({ one: sql`1` })
      .from(workers)
      .where(eq(workers.id, episodes.workerId)),
  )
  const isDue = and(
    isNull(episodes.workerId),
    eq(devices.hostId, hostId),
    inArray(episodes.status, ['queued', 'running']),
  )
  return db
    .select(held)
    .from(episodes)
    .leftJoin(devices, eq(devices.id, episodes.deviceId))
    .where(and(isNull(episodes.finishedAt), or(and(sql`${episodes.workerId} is not null`, isHeldByTheDead), isDue)))
}

/** Whether a worker of the host is registered: the silent ones have been removed from the table by the queue. */
export async function hasLivingWorker(db: Database | Transaction, hostId: string): Promise<boolean> {
  return (await db.$count(workers, eq(workers.hostId, hostId))) > 0
}

/**
 * Takes an episode for a worker; false while another job holds it, of this worker too, or when it has finished. One held
 * by a worker that is gone can be taken.
 */
export async function claimEpisode(db: Database, claim: { episodeId: string; workerId: string }): Promise<boolean> {
  const claimed = await db
    .update(episodes)
    .set({ workerId: claim.workerId })
    .where(
      and(
        eq(episodes.id, claim.episodeId),
        isNull(episodes.finishedAt),
        or(
          isNull(episodes.workerId),
          notExists(
            db
              .select({ one: sql`1` })
              .from(workers)
              .where(eq(workers.id, episodes.workerId)),
          ),
        ),
      ),
    )
    .returning({ id: episodes.id })
  return claimed.length === 1
}

export async function clearWorker(tx: Transaction, claim: { episodeId: string; workerId: string }): Promise<void> {
  await tx
    .update(episodes)
    .set({ workerId: null })
    .where(and(eq(episodes.id, claim.episodeId), eq(episodes.workerId, claim.workerId)))
}
