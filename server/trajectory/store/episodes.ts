import { and, asc, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { devices } from '@/db/schema/device'
import { people } from '@/db/schema/people'
import { episodes } from '@/db/schema/trajectory'
import type { EpisodeSummary, ListEpisodesInput } from '@/server/trajectory/contract'

export type EpisodeRow = typeof episodes.$inferSelect

const summary = {
  id: episodes.id,
  status: episodes.status,
  taskId: episodes.taskId,
  seed: episodes.seed,
  title: episodes.title,
  request: episodes.request,
  planner: episodes.planner,
  stepCount: episodes.stepCount,
  costMicroUsd: episodes.costMicroUsd,
  claim: episodes.claim,
  verdict: episodes.verdict,
  createdAt: episodes.createdAt,
  finishedAt: episodes.finishedAt,
  deviceId: devices.id,
  deviceName: devices.name,
  personId: people.id,
  personName: people.name,
}

function selectSummaries(db: Database | Transaction) {
  return db
    .select(summary)
    .from(episodes)
    .innerJoin(people, eq(people.id, episodes.startedBy))
    .leftJoin(devices, eq(devices.id, episodes.deviceId))
}

type SummaryRow = Awaited<ReturnType<typeof selectSummaries>>[number]

function toSummary({ deviceId, deviceName, personId, personName, ...row }: SummaryRow): EpisodeSummary {
  const device = deviceId === null || deviceName === null ? null : { id: deviceId, name: deviceName }
  return { ...row, device, startedBy: { id: personId, name: personName } }
}

export async function insertEpisode(tx: Transaction, row: typeof episodes.$inferInsert): Promise<void> {
  await tx.insert(episodes).values(row)
}

/** The row, locked until the transaction ends; null when there is no such episode. */
export async function lockEpisode(tx: Transaction, id: string): Promise<EpisodeRow | null> {
  const [row] = await tx.select().from(episodes).where(eq(episodes.id, id)).for('update')
  return row ?? null
}

export async function readEpisodeRow(db: Database | Transaction, id: string): Promise<EpisodeRow | null> {
  const [row] = await db.select().from(episodes).where(eq(episodes.id, id))
  return row ?? null
}

export async function updateEpisode(
  tx: Transaction,
  id: string,
  change: Partial<
    Pick<
      EpisodeRow,
      'status' | 'nextSeq' | 'stepCount' | 'costMicroUsd' | 'claim' | 'verdict' | 'finishedAt' | 'workerId'
    >
  >,
): Promise<void> {
  await tx.update(episodes).set(change).where(eq(episodes.id, id))
}

export async function readSummary(db: Database | Transaction, id: string): Promise<EpisodeSummary | null> {
  const [row] = await selectSummaries(db).where(eq(episodes.id, id))
  return row ? toSummary(row) : null
}

const sortColumns = {
  created: sql`${episodes.createdAt}`,
  finished: sql`coalesce(${episodes.finishedAt}, 0)`,
  steps: sql`${episodes.stepCount}`,
  cost: sql`${episodes.costMicroUsd}`,
  title: sql`${episodes.title}`,
}

export type PageQuery = Omit<ListEpisodesInput, 'cursor'> & { after: { value: string | number; id: string } | null }

/** A page in the asked order with the id as tie-break, the sort value of each row beside it. */
export async function selectPage(
  db: Database,
  query: PageQuery,
): Promise<{ rows: { episode: EpisodeSummary; value: string | number }[]; total: number }> {
  const filter = filterOf(query)
  const column = sortColumns[query.sort]
  const order = query.direction === 'ascending' ? asc : desc
  const compare = query.direction === 'ascending' ? sql`>` : sql`<`
  const valueType = query.sort === 'title' ? sql`text` : sql`bigint`
  const after = query.after
    ? sql`(${column}, ${episodes.id}) ${compare} (${query.after.value}::${valueType}, ${query.after.id}::uuid)`
    : undefined
  const rows = await db
    .select({ ...summary, value: sql<string | number>`${column}` })
    .from(episodes)
    .innerJoin(people, eq(people.id, episodes.startedBy))
    .leftJoin(devices, eq(devices.id, episodes.deviceId))
    .where(and(filter, after))
    .orderBy(order(column), order(episodes.id))
    .limit(query.limit)
  return {
    rows: rows.map(({ value, ...row }) => ({ episode: toSummary(row), value })),
    total: await db.$count(episodes, filter),
  }
}

function filterOf(query: PageQuery): SQL | undefined {
  const pattern = `%${query.text.replace(/[\\%_]/g, '\\$&')}%`
  return and(
    query.statuses.length > 0 ? inArray(episodes.status, query.statuses) : undefined,
    query.deviceId ? eq(episodes.deviceId, query.deviceId) : undefined,
    query.text ? or(ilike(episodes.title, pattern), ilike(episodes.request, pattern)) : undefined,
  )
}
