import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'

/** Worker processes and their last sign of life; jobs of a silent one are unlocked by the others. */
export const workers = pgTable('workers', {
  id: text('id').primaryKey(),
  hostId: text('host_id').notNull(),
  pid: integer('pid').notNull(),
  /** Names the process table `pid` belongs to, so that a neighbour can tell at once that it is gone. */
  machineId: text('machine_id').notNull(),
  /** The ids graphile-worker locks this worker's jobs with (one a pool). */
  graphileIds: text('graphile_ids').array().notNull(),
  startedAt: bigint('started_at', { mode: 'number' }).notNull(),
  seenAt: bigint('seen_at', { mode: 'number' }).notNull(),
})

/** One row for the whole installation: what is fixed at its first start. */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey(),
  /** Names the session cookie, because cookies ignore ports. */
  instanceId: text('instance_id').notNull(),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
})
