import type { Database } from '@/db/client'
import { taskInstance } from '@/server/environment/suite/task-list'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import { newId } from '@/server/platform/ids'
import { createEpisode } from '@/server/trajectory/create-episode'
import type { StartEpisodeInput } from './contract'
import { enqueueEpisode } from './enqueue-episode'
import { demonstrationVersion } from './planners/demonstration'
import { readBusyEpisode, readDevice } from './store'

/**
 * Starts an episode on a device and returns its id. Throws `not-found` for an unknown device or task, `unavailable` when
 * the device is off, and `busy`, naming the episode, while another one has it.
 */
export async function startEpisode(options: {
  db: Database
  clock: Clock
  input: StartEpisodeInput
  by: { id: string; name: string }
}): Promise<{ episodeId: string }> {
  const { db, clock, input, by } = options
  const task = taskInstance(input.taskId, input.seed)
  const device = await readDevice(db, input.deviceId)
  if (!device) throw new TaplineError('not-found', `There is no device ${input.deviceId}.`)
  await refuseIfBusy(db, device)
  if (device.state !== 'online') throw new TaplineError('unavailable', `${device.name} is not connected.`)
  const episodeId = newId()
  try {
    await db.transaction(async (tx) => {
      await createEpisode(tx, {
        episodeId,
        clock,
        started: {
          type: 'episode.started',
          task: { id: task.id, title: task.title, seed: task.seed },
          request: task.request,
          agent: { planner: input.planner, isModel: false, version: demonstrationVersion },
          device: { id: device.id, serial: device.serial, name: device.name },
          budget: task.budget,
          by: { id: by.id, name: by.name },
        },
      })
      await enqueueEpisode(tx, { id: episodeId, hostId: device.hostId })
    })
  } catch (error) {
    // Somebody else was first: the index that keeps one unfinished episode a device refused ours.
    await refuseIfBusy(db, device, error)
    throw error
  }
  return { episodeId }
}

async function refuseIfBusy(db: Database, device: { id: string; name: string }, cause?: unknown): Promise<void> {
  const busy = await readBusyEpisode(db, device.id)
  if (!busy) return
  throw new TaplineError(
    'busy',
    `${device.name} is busy with episode ${busy.id} ("${busy.title}", ${busy.status}): wait for it or stop it.`,
    { cause },
  )
}
