import type { Database } from '@/db/client'
import { devices } from '@/db/schema/device'
import { people } from '@/db/schema/people'
import { newId } from '@/server/platform/ids'
import type { EpisodeEventBody } from '@/server/trajectory/contract'
import { createEpisode } from '@/server/trajectory/create-episode'

/** A person to sign events with. */
export async function samplePerson(db: Database, name = 'Ann'): Promise<{ id: string; name: string }> {
  const person = { id: newId(), name }
  await db.insert(people).values({ ...person, createdAt: 1 })
  return person
}

export async function sampleDevice(
  db: Database,
  options: { hostId?: string; address?: string } = {},
): Promise<{ id: string; serial: string; name: string }> {
  const device = { id: newId(), serial: newId(), name: 'Pixel' }
  await db.insert(devices).values({
    ...device,
    model: 'Pixel',
    kind: 'simulated',
    address: options.address ?? '127.0.0.1:1',
    hostId: options.hostId ?? 'host-a',
    state: 'online',
    createdAt: 1,
    seenAt: 1,
  })
  return device
}

/** An episode with its first two events; without a device unless one is given. */
export async function sampleEpisode(
  db: Database,
  options: {
    by: { id: string; name: string }
    device?: { id: string; serial: string; name: string } | null
    request?: string
    at?: number
  },
): Promise<string> {
  const episodeId = newId()
  const started: Extract<EpisodeEventBody, { type: 'episode.started' }> = {
    type: 'episode.started',
    task: { id: 'sample', title: 'A sample', seed: 1 },
    request: options.request ?? 'Do something',
    agent: { planner: 'demonstration', isModel: false, version: '1' },
    device: options.device ?? null,
    budget: { steps: 10 },
    by: options.by,
  }
  await createEpisode(db, { episodeId, started, clock: () => options.at ?? 1_000 })
  return episodeId
}
