import { eq } from 'drizzle-orm'
import type { Database } from '@/db/client'
import { artefacts } from '@/db/schema/trajectory'

export type ArtefactRow = typeof artefacts.$inferSelect

/** Keeps the first row of a hash: the same bytes are the same artefact. */
export async function insertArtefact(db: Database, row: ArtefactRow): Promise<void> {
  await db.insert(artefacts).values(row).onConflictDoNothing()
}

export async function readArtefactRow(db: Database, sha256: string): Promise<ArtefactRow | null> {
  const [row] = await db.select().from(artefacts).where(eq(artefacts.sha256, sha256))
  return row ?? null
}
