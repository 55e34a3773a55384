import type { Adb, AdbCredentialStore } from '@yume-chan/adb'
import type { Database } from '@/db/client'
import type { Clock } from '@/server/platform/clock'
import type { Logger } from '@/server/platform/log'
import { describeDevice } from '../adb/describe-device'
import { openAdb } from '../adb/open-adb'
import { runShell } from '../adb/run-shell'
import type { Device } from '../contract'
import { delay, raceAbort } from '../race-abort'
import { markHostOffline, markOffline, selectDevicesOfHost, touchSeenAt, upsertOnlineDevice } from '../store'
import { DeviceSession } from './device-session'

export type RegisteredDevice = { device: Device; session: DeviceSession; isConnected: boolean }

const firstRetryMs = 200
const lastRetryMs = 2_000
const heartbeatMs = 10_000
const heartbeatTimeoutMs = 5_000

type DeviceRegistryOptions = {
  db: Database
  /** adb daemons, `host:port`. */
  addresses: readonly string[]
  hostId: string
  credentialStore: AdbCredentialStore
  /** Path of scrcpy's server for real phones. */
  scrcpyServerPath: string | null
  lingerMs: number
  clock: Clock
  log: Logger
}

/** The devices of this host: stays connected to every address, and keeps what Postgres says of them true. */
export class DeviceRegistry {
  readonly #options: DeviceRegistryOptions
  readonly #devices = new Map<string, RegisteredDevice>()
  readonly #stopping = new AbortController()
  #loops: Promise<void>[] = []

  constructor(options: DeviceRegistryOptions) {
    this.#options = options
  }

  /** Begins to connect; devices known from before can be asked for at once. */
  async start(): Promise<void> {
    const { db, hostId, addresses } = this.#options
    await markHostOffline(db, hostId)
    for (const device of await selectDevicesOfHost(db, hostId)) this.#register(device)
    this.#loops = [...new Set(addresses)].map((address) => this.#keepConnected(address))
  }

  find(deviceId: string): RegisteredDevice | null {
    return this.#devices.get(deviceId) ?? null
  }

  /** How many devices are known and connected. */
  count(): { known: number; online: number } {
    const all = [...this.#devices.values()]
    return { known: all.length, online: all.filter((each) => each.isConnected).length }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#devices.values()].map(({ session }) => session.close()))
    this.#stopping.abort(new Error('the gateway stops'))
    await Promise.all(this.#loops)
    await markHostOffline(this.#options.db, this.#options.hostId)
  }

  #register(device: Device): RegisteredDevice {
    const known = this.#devices.get(device.id)
    if (known !== undefined) {
      known.device = device
      return known
    }
    const { lingerMs, clock, scrcpyServerPath } = this.#options
    const session = new DeviceSession({
      program: device.kind === 'simulated' ? { kind: 'built-in' } : { kind: 'file', path: scrcpyServerPath },
      lingerMs,
      clock,
      log: this.#options.log.child({ deviceId: device.id, deviceName: device.name }),
    })
    const registered = { device, session, isConnected: false }
    this.#devices.set(device.id, registered)
    return registered
  }

  /** Never rejects. */
  async #keepConnected(address: string): Promise<void> {
    const { signal } = this.#stopping
    const log = this.#options.log.child({ address })
    let retryMs = firstRetryMs
    let lastFailure: string | null = null
    while (!signal.aborted) {
      const connection = new AbortController()
      const stop = () => connection.abort(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      try {
        const adb = await openAdb(address, {
          signal: connection.signal,
          credentialStore: this.#options.credentialStore,
        })
        await this.#hold(adb, address, connection.signal, log)
        retryMs = firstRetryMs
        lastFailure = null
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error)
        // Once an outage, not once a try.
        if (!signal.aborted && failure !== lastFailure) log.warn({ err: error }, 'device not connected')
        lastFailure = failure
      } finally {
        signal.removeEventListener('abort', stop)
        connection.abort(new Error('the connection is over'))
      }
      await delay(retryMs, signal).catch(() => undefined)
      retryMs = Math.min(retryMs * 2, lastRetryMs)
    }
  }

  /** Holds a connection until it breaks or `signal` aborts. */
  async #hold(adb: Adb, address: string, signal: AbortSignal, log: Logger): Promise<void> {
    const { db, hostId, clock } = this.#options
    const description = await describeDevice(adb, { signal })
    const alreadyThere = [...this.#devices.values()].find(
      ({ device, isConnected }) => isConnected && device.serial === description.serial,
    )
    if (alreadyThere !== undefined) {
      throw new Error(`${description.serial} is already connected at ${alreadyThere.device.address}`)
    }
    const device = await upsertOnlineDevice(db, { ...description, address, hostId }, clock())
    const registered = this.#register(device)
    registered.isConnected = true
    log.info({ deviceId: device.id, serial: device.serial, name: device.name }, 'device connected')
    registered.session.connect(adb)
    try {
      await this.#watch(adb, device.id, signal)
    } finally {
      registered.isConnected = false
      registered.session.disconnect(`${device.name} is not connected.`)
      log.info({ deviceId: device.id }, 'device disconnected')
      // When stopping, all of them are marked at once.
      if (!signal.aborted) await markOffline(db, device.id)
    }
  }

  /** Returns when the connection is lost, or when the device no longer answers: a dead cable sends no goodbye. */
  async #watch(adb: Adb, deviceId: string, signal: AbortSignal): Promise<void> {
    const gone = new AbortController()
    const end = () => gone.abort(new Error('the connection is lost'))
    adb.disconnected.then(end, end)
    const either = AbortSignal.any([gone.signal, signal])
    for (;;) {
      try {
        await delay(heartbeatMs, either)
        await raceAbort(
          runShell(adb, ['getprop', 'ro.serialno'], { signal: either, timeoutMs: heartbeatTimeoutMs }),
          either,
        )
      } catch {
        return
      }
      // A database that is away for a moment must not end anyone's picture.
      await touchSeenAt(this.#options.db, deviceId, this.#options.clock()).catch((error: unknown) => {
        this.#options.log.warn({ err: error, deviceId }, 'could not note that the device has answered')
      })
    }
  }
}
