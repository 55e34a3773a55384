import type { Database } from '@/db/client'
import { isProcessAlive } from '../machine'
import { lockLostWorkers, unlockAndDeleteWorkers } from './store'

/**
 * Finds workers that have died, unlocks their jobs and forgets them; returns their ids. A worker has died when its last
 * sign of life is `silentMs` old, or when it ran on this machine and its process is gone.
 */
export async function recoverWorkers(
  db: Database,
  options: { silentMs: number; machineId: string },
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const lost = await lockLostWorkers(tx, {
      silentMs: options.silentMs,
      isGone: (worker) => worker.machineId === options.machineId && !isProcessAlive(worker.pid),
    })
    if (lost.length > 0) await unlockAndDeleteWorkers(tx, lost)
    return lost.map((worker) => worker.id)
  })
}
