import type { Database } from '@/db/client'
import type { Device } from './contract'
import { selectDevices } from './store'

/** Every device, online ones first, each group by name. */
export async function listDevices(db: Database): Promise<Device[]> {
  const all = await selectDevices(db)
  return [...all.filter((each) => each.state === 'online'), ...all.filter((each) => each.state === 'offline')]
}
