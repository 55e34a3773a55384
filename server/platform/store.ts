import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '@/db/client'
import { installation } from '@/db/schema/queue'
import { TaplineError } from './errors'

/** Writes the installation's one row, once. */
export async function ensureInstallation(db: Database): Promise<void> {
  await db
    .insert(installation)
    .values({
      id: 1,
      instanceId: randomBytes(4).toString('hex'),
      createdAt: sql`(extract(epoch from now()) * 1000)::bigint`,
    })
    .onConflictDoNothing()
}

/** What names the installation's session cookie. Throws `unavailable` before the first migration. */
export async function readInstanceId(db: Database): Promise<string> {
  const [row] = await db.select({ instanceId: installation.instanceId }).from(installation)
  if (!row) throw new TaplineError('unavailable', 'The database is empty: run `npm run migrate`.')
  return row.instanceId
}
