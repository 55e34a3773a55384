import type { Database } from '@/db/client'
import type { BlobStore } from '@/server/platform/blobs'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import { insertArtefact } from './store/artefacts'

/** What an artefact may be; anything else is served as bytes to save, never to show. */
export const mediaTypes = [
  'image/png',
  'image/webp',
  'application/xml',
  'text/plain',
  'application/json',
  'video/mp4',
  'application/octet-stream',
] as const
export type MediaType = (typeof mediaTypes)[number]

/** Keeps bytes under their SHA-256 and returns it; the same bytes twice are one artefact. Throws `bad-input` when empty. */
export async function keepArtefact(options: {
  db: Database
  blobs: BlobStore
  clock: Clock
  bytes: Uint8Array
  mediaType: MediaType
}): Promise<string> {
  const { db, blobs, clock, bytes, mediaType } = options
  if (bytes.byteLength === 0) throw new TaplineError('bad-input', 'An artefact has at least one byte.')
  const sha256 = await blobs.put(bytes)
  await insertArtefact(db, { sha256, mediaType, bytes: bytes.byteLength, createdAt: clock() })
  return sha256
}
