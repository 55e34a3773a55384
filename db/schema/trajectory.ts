import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { EpisodeEventBody, EpisodeStatus, PlannerKind, Verdict } from '@/server/trajectory/contract'
import { devices } from './device'
import { people } from './people'

export const episodes = pgTable(
  'episodes',
  {
    id: uuid('id').primaryKey(),
    status: text('status').$type<EpisodeStatus>().notNull(),
    taskId: text('task_id').notNull(),
    seed: integer('seed').notNull(),
    title: text('title').notNull(),
    request: text('request').notNull(),
    planner: text('planner').$type<PlannerKind>().notNull(),
    deviceId: uuid('device_id').references(() => devices.id),
    startedBy: uuid('started_by')
      .notNull()
      .references(() => people.id),
    /** The seq the next event gets; the row's lock is what makes it dense. */
    nextSeq: integer('next_seq').notNull().default(0),
    stepCount: integer('step_count').notNull().default(0),
    costMicroUsd: bigint('cost_micro_usd', { mode: 'number' }).notNull().default(0),
    /** Worker that runs it now; null while it waits for a person or has ended. */
    workerId: text('worker_id'),
    claim: text('claim'),
    verdict: jsonb('verdict').$type<Verdict>(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    finishedAt: bigint('finished_at', { mode: 'number' }),
  },
  (table) => [
    index('episodes_created_at').on(table.createdAt),
    // A device serves one unfinished episode at a time.
    uniqueIndex('episodes_device_busy')
      .on(table.deviceId)
      .where(sql`finished_at is null`),
  ],
)

/** The evidence log: append-only, `seq` dense from 0. */
export const events = pgTable(
  'events',
  {
    episodeId: uuid('episode_id')
      .notNull()
      .references(() => episodes.id),
    seq: integer('seq').notNull(),
    at: bigint('at', { mode: 'number' }).notNull(),
    actor: text('actor').notNull(),
    type: text('type').notNull(),
    body: jsonb('body').$type<EpisodeEventBody>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.episodeId, table.seq] })],
)

/** What lists and tables read of a step; written with its events, rebuilt from them at any time. */
export const steps = pgTable(
  'steps',
  {
    episodeId: uuid('episode_id')
      .notNull()
      .references(() => episodes.id),
    /** From 1, as shown. */
    number: integer('number').notNull(),
    firstSeq: integer('first_seq').notNull(),
    tool: text('tool'),
    ok: integer('ok'),
    startedAt: bigint('started_at', { mode: 'number' }).notNull(),
    endedAt: bigint('ended_at', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.episodeId, table.number] })],
)

/** A blob kept on disk under its SHA-256. */
export const artefacts = pgTable('artefacts', {
  sha256: text('sha256').primaryKey(),
  mediaType: text('media_type').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
})
