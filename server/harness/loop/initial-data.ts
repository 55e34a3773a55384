import type { Database } from '@/db/client'
import type { BlobStore } from '@/server/platform/blobs'
import { TaplineError } from '@/server/platform/errors'
import { readLog } from '@/server/trajectory/read-log'

/**
 * The phone's data after set-up, as the first observation refers to it: null for an episode that was not set up yet.
 * Throws `internal` when the artefact is gone.
 */
export async function readInitialData(
  { db, blobs }: { db: Database; blobs: BlobStore },
  episodeId: string,
): Promise<{ initialData: unknown } | null> {
  for (const { body } of await readLog(db, { episodeId, fromSeq: 0 })) {
    if (body.type !== 'observed' || body.initialData === undefined) continue
    if (body.initialData === null) return { initialData: null }
    const bytes = await blobs.read(body.initialData)
    if (!bytes) throw new TaplineError('internal', `The initial state of episode ${episodeId} is gone.`)
    return { initialData: JSON.parse(bytes.toString('utf8')) as unknown }
  }
  return null
}
