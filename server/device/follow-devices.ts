import type { Database } from '@/db/client'
import type { Listener } from '@/server/platform/notify'
import { type Device, devicesChannel } from './contract'
import { listDevices } from './list-devices'

/** Yields the list of devices now and after each change, until `signal` aborts. Changes that come together yield once. */
export async function* followDevices(db: Database, listener: Listener, signal: AbortSignal): AsyncGenerator<Device[]> {
  let hasChanged = true
  let wake: () => void = () => undefined
  const changed = () => {
    hasChanged = true
    wake()
  }
  signal.addEventListener('abort', changed)
  const stop = await listener.listen(devicesChannel, changed, changed)
  try {
    while (!signal.aborted) {
      if (!hasChanged) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      hasChanged = false
      yield await listDevices(db)
    }
  } finally {
    signal.removeEventListener('abort', changed)
    await stop()
  }
}
