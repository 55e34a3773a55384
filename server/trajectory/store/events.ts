import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { events, steps } from '@/db/schema/trajectory'
import { actor, type EpisodeEvent, episodeEventBody, type Step } from '@/server/trajectory/contract'

export async function insertEvents(tx: Transaction, rows: EpisodeEvent[]): Promise<void> {
  await tx.insert(events).values(rows.map((row) => ({ ...row, type: row.body.type })))
}

/** Events from `fromSeq` on, in order, at most `limit`. */
export async function selectEvents(
  db: Database | Transaction,
  query: { episodeId: string; fromSeq: number; limit?: number },
): Promise<EpisodeEvent[]> {
  const selected = db
    .select({ episodeId: events.episodeId, seq: events.seq, at: events.at, actor: events.actor, body: events.body })
    .from(events)
    .where(and(eq(events.episodeId, query.episodeId), gte(events.seq, query.fromSeq)))
    .orderBy(asc(events.seq))
  const rows = await (query.limit === undefined ? selected : selected.limit(query.limit))
  return rows.map((row) => ({ ...row, actor: actor.parse(row.actor), body: episodeEventBody.parse(row.body) }))
}

/** First seq of the last step; null before the first. */
export async function selectFirstSeqOfStep(tx: Transaction, episodeId: string, number: number): Promise<number | null> {
  const [row] = await tx
    .select({ firstSeq: steps.firstSeq })
    .from(steps)
    .where(and(eq(steps.episodeId, episodeId), eq(steps.number, number)))
  return row?.firstSeq ?? null
}

/** Writes the narrow rows of steps, replacing those that are there. */
export async function upsertSteps(tx: Transaction, episodeId: string, changed: Step[]): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.map((step) => {
    const last = step.calls.at(-1)
    return {
      episodeId,
      number: step.number,
      firstSeq: step.firstSeq,
      tool: last?.tool ?? null,
      ok: last?.result ? Number(last.result.ok) : null,
      startedAt: step.startedAt,
      endedAt: step.endedAt,
    }
  })
  await tx
    .insert(steps)
    .values(rows)
    .onConflictDoUpdate({
      target: [steps.episodeId, steps.number],
      set: {
        firstSeq: sql`excluded.first_seq`,
        tool: sql`excluded.tool`,
        ok: sql`excluded.ok`,
        startedAt: sql`excluded.started_at`,
        endedAt: sql`excluded.ended_at`,
      },
    })
}
