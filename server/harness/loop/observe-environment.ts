import type { Database } from '@/db/client'
import type { EnvironmentSession } from '@/server/environment/contract'
import type { BlobStore } from '@/server/platform/blobs'
import type { Clock } from '@/server/platform/clock'
import { keepArtefact, type MediaType } from '@/server/trajectory/keep-artefact'
import type { EpisodeEventBody } from '@/server/trajectory/contract'

type Observed = Extract<EpisodeEventBody, { type: 'observed' }>
type Keeping = { db: Database; blobs: BlobStore; clock: Clock; session: EnvironmentSession }

const screenTypes: readonly MediaType[] = ['image/png', 'image/webp']

/** Looks at the environment and keeps what it saw: the screen and the tree as artefacts. */
export async function observeEnvironment(keeping: Keeping, signal: AbortSignal): Promise<Observed> {
  const { screen, tree, ...seen } = await keeping.session.observe(signal)
  const screenType = screenTypes.find((mediaType) => mediaType === screen?.mediaType) ?? 'application/octet-stream'
  return {
    type: 'observed',
    screen: screen ? await keepArtefact({ ...keeping, bytes: screen.bytes, mediaType: screenType }) : null,
    tree: tree ? await keepArtefact({ ...keeping, bytes: Buffer.from(tree), mediaType: 'application/xml' }) : null,
    ...seen,
  }
}

/** Keeps the phone's data after set-up, which checks compare with; null where it can't be read. */
export async function keepInitialData(keeping: Keeping): Promise<string | null> {
  const { initialData } = keeping.session
  if (initialData === null || initialData === undefined) return null
  const bytes = Buffer.from(JSON.stringify(initialData))
  return keepArtefact({ ...keeping, bytes, mediaType: 'application/json' })
}
