import { z } from 'zod'

/** Something reached through adb, as lists and pages show it. */
export const device = z.object({
  id: z.uuid(),
  /** What the device itself reports as `ro.serialno`: the same phone over another route is the same device. */
  serial: z.string(),
  name: z.string(),
  model: z.string(),
  /** `simulated` is the virtual phone. */
  kind: z.enum(['simulated', 'android']),
  /** `host:port` of its adb daemon. */
  address: z.string(),
  /** Device episodes run on the queue `host:<hostId>`. */
  hostId: z.string(),
  state: z.enum(['online', 'offline']),
  /** Epoch ms of the last answer. */
  seenAt: z.number(),
})
export type Device = z.infer<typeof device>

/** What a device says about itself. */
export type DeviceDescription = Pick<Device, 'serial' | 'name' | 'model' | 'kind'>

/** Postgres channel that is notified when a device appears, changes or goes; the payload is its id, or empty for several. */
export const devicesChannel = 'devices'
