import { and, asc, eq } from 'drizzle-orm'
import type { Database } from '@/db/client'
import { devices } from '@/db/schema/device'
import { newId } from '@/server/platform/ids'
import { notify } from '@/server/platform/notify'
import { type Device, type DeviceDescription, devicesChannel } from './contract'

const columns = {
  id: devices.id,
  serial: devices.serial,
  name: devices.name,
  model: devices.model,
  kind: devices.kind,
  address: devices.address,
  hostId: devices.hostId,
  state: devices.state,
  seenAt: devices.seenAt,
}

/** All devices ever seen, by name. */
export async function selectDevices(db: Database): Promise<Device[]> {
  return db.select(columns).from(devices).orderBy(asc(devices.name), asc(devices.serial))
}

export async function selectDevicesOfHost(db: Database, hostId: string): Promise<Device[]> {
  return db.select(columns).from(devices).where(eq(devices.hostId, hostId))
}

type OnlineDevice = DeviceDescription & Pick<Device, 'address' | 'hostId'>

/** Inserts or updates the device of this serial as online, notifies followers and returns it. */
export async function upsertOnlineDevice(db: Database, online: OnlineDevice, now: number): Promise<Device> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(devices)
      .values({ ...online, id: newId(), state: 'online', createdAt: now, seenAt: now })
      .onConflictDoUpdate({ target: devices.serial, set: { ...online, state: 'online', seenAt: now } })
      .returning(columns)
    if (row === undefined) throw new Error('an upsert returned no row')
    await notify(tx, devicesChannel, row.id)
    return row
  })
}

/** Marks one device offline and notifies followers. */
export async function markOffline(db: Database, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(devices).set({ state: 'offline' }).where(eq(devices.id, id))
    await notify(tx, devicesChannel, id)
  })
}

/** Marks all devices of a host offline: a gateway that starts or stops holds none of them. */
export async function markHostOffline(db: Database, hostId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(devices)
      .set({ state: 'offline' })
      .where(and(eq(devices.hostId, hostId), eq(devices.state, 'online')))
      .returning({ id: devices.id })
    if (changed.length > 0) await notify(tx, devicesChannel, '')
  })
}

/** Remembers that a device has answered, without telling anyone. */
export async function touchSeenAt(db: Database, id: string, now: number): Promise<void> {
  await db.update(devices).set({ seenAt: now }).where(eq(devices.id, id))
}
