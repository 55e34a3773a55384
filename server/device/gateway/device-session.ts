import type { Adb } from '@yume-chan/adb'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import type { Logger } from '@/server/platform/log'
import type { ServerMessage } from '@/server/wire/gateway/messages'
import { delay } from '../race-abort'
import type { ServerProgram } from '../scrcpy/push-server'
import { type ScrcpySession, startScrcpySession } from '../scrcpy/start-scrcpy-session'
import { DeviceControl } from './device-control'
import { FanOut, type FrameSink } from './fan-out'
import type { LeaseEvent } from './lease'

export type SessionState = Extract<ServerMessage, { type: 'state' }>['state']

/** Someone connected to the device: gets its frames, its state and every change of the lease. */
export type SessionClient = FrameSink & {
  onState(state: SessionState, reason: string | null): void
  onLease(): void
}

const tickMs = 250
const firstRetryMs = 250
const lastRetryMs = 3_000

type DeviceSessionOptions = {
  program: ServerProgram
  /** How long the screen session outlives its last client, so that a reload doesn't restart it. */
  lingerMs: number
  clock: Clock
  log: Logger
}

/**
 * The one screen session of a device: begun by the first client, shared by all, ended some time after the last. It
 * comes back by itself when scrcpy or the connection breaks, for as long as someone is there.
 */
export class DeviceSession {
  readonly fanOut: FanOut
  readonly control: DeviceControl
  readonly #options: DeviceSessionOptions
  readonly #clients = new Set<SessionClient>()
  #adb: Adb | null = null
  #scrcpy: ScrcpySession | null = null
  #state: SessionState = 'gone'
  #reason: string | null = 'The device is not connected.'
  #run: { abort: AbortController; done: Promise<void> } | null = null
  #lingerTimer: NodeJS.Timeout | null = null
  #tickTimer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: DeviceSessionOptions) {
    const { clock } = options
    this.#options = options
    this.fanOut = new FanOut({
      clock,
      resetVideo: () => void this.#send({ type: 'reset-video' }).catch(() => undefined),
    })
    this.control = new DeviceControl({
      clock,
      onLease: (events) => this.#onLease(events),
      target: {
        send: (message) => this.#send(message),
        paste: async (text) => (await this.#requireScrcpy()).paste(text),
        size: () => this.fanOut.size,
        lastFrameNumber: () => this.fanOut.lastFrameNumber,
      },
    })
  }

  get state(): { state: SessionState; reason: string | null } {
    return { state: this.#state, reason: this.#reason }
  }

  /** Whether scrcpy runs or is being started. */
  get isRunning(): boolean {
    return this.#run !== null
  }

  attach(client: SessionClient): void {
    this.#clients.add(client)
    if (this.#lingerTimer !== null) clearTimeout(this.#lingerTimer)
    this.#lingerTimer = null
    this.#tickTimer ??= setInterval(() => this.#tick(), tickMs)
    client.onState(this.#state, this.#reason)
    client.onLease()
    this.fanOut.add(client)
    this.#startIfWanted()
  }

  detach(client: SessionClient): void {
    this.fanOut.remove(client)
    if (!this.#clients.delete(client) || this.#clients.size > 0) return
    if (this.#tickTimer !== null) clearInterval(this.#tickTimer)
    this.#tickTimer = null
    this.#lingerTimer = setTimeout(() => {
      this.#lingerTimer = null
      this.#run?.abort.abort(new TaplineError('gone', 'Nobody watches the device any more.'))
    }, this.#options.lingerMs)
  }

  /** The device has come. */
  connect(adb: Adb): void {
    this.#adb = adb
    this.#startIfWanted()
  }

  /** The device has gone. */
  disconnect(reason: string): void {
    this.#adb = null
    this.#run?.abort.abort(new TaplineError('unavailable', reason))
    this.#setState('gone', reason)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#lingerTimer !== null) clearTimeout(this.#lingerTimer)
    if (this.#tickTimer !== null) clearInterval(this.#tickTimer)
    const run = this.#run
    run?.abort.abort(new TaplineError('gone', 'The gateway stops.'))
    await run?.done
  }

  get #isWanted(): boolean {
    return !this.#isClosed && this.#clients.size > 0
  }

  #startIfWanted(): void {
    if (this.#run !== null || this.#adb === null || !this.#isWanted) return
    const abort = new AbortController()
    const done = this.#keepRunning(this.#adb, abort.signal).finally(() => {
      this.#run = null
      // Someone may have come, or another connection, while this one ended.
      this.#startIfWanted()
    })
    this.#run = { abort, done }
  }

  /** Runs scrcpy, again and again when it breaks, until aborted. Never rejects. */
  async #keepRunning(adb: Adb, signal: AbortSignal): Promise<void> {
    let retryMs = firstRetryMs
    let reason: string | null = null
    while (!signal.aborted) {
      this.#setState('connecting', reason)
      const startedAt = this.#options.clock()
      const failure = await this.#runOnce(adb, signal)
      if (signal.aborted) break
      reason = failure
      this.#options.log.warn({ reason }, 'the screen session broke off')
      this.#setState('gone', reason)
      if (this.#options.clock() - startedAt > lastRetryMs) retryMs = firstRetryMs
      await delay(retryMs, signal).catch(() => undefined)
      retryMs = Math.min(retryMs * 2, lastRetryMs)
    }
    if (this.#adb === adb) this.#setState('connecting', null)
  }

  /** Runs scrcpy once; returns why it ended, also when it did not start. */
  async #runOnce(adb: Adb, signal: AbortSignal): Promise<string | null> {
    let scrcpy: ScrcpySession | null = null
    const close = () => void scrcpy?.close()
    try {
      scrcpy = await startScrcpySession(adb, {
        program: this.#options.program,
        signal,
        onConfiguration: (configuration) => {
          if (this.#state === 'connecting') this.#setState('waiting-for-key-frame', null)
          this.fanOut.configure(configuration)
        },
        onFrame: (frame) => {
          if (frame.isKey && this.#state !== 'live') this.#setState('live', null)
          this.fanOut.push(frame)
        },
      })
      this.#scrcpy = scrcpy
      signal.addEventListener('abort', close, { once: true })
      if (signal.aborted) close()
      else this.#options.log.info({ device: scrcpy.deviceName }, 'screen session started')
      return (await scrcpy.ended)?.message ?? null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      signal.removeEventListener('abort', close)
      this.#scrcpy = null
      await scrcpy?.close()
      this.fanOut.reset()
      this.control.forgetPointers()
    }
  }

  async #requireScrcpy(): Promise<ScrcpySession> {
    if (this.#scrcpy === null)
      throw new TaplineError('unavailable', this.#reason ?? 'The screen of the device is not connected.')
    return this.#scrcpy
  }

  async #send(message: Parameters<ScrcpySession['send']>[0]): Promise<void> {
    await (await this.#requireScrcpy()).send(message)
  }

  #setState(state: SessionState, reason: string | null): void {
    if (state === this.#state && reason === this.#reason) return
    this.#state = state
    this.#reason = reason
    for (const client of this.#clients) client.onState(state, reason)
  }

  #onLease(events: LeaseEvent[]): void {
    for (const event of events) {
      // A renewal every few seconds is no news.
      if (event.type === 'renewed') continue
      const { kind, id, name } = event.lease
      this.#options.log.info(
        { holder: { kind, id, name }, reason: event.type === 'lost' ? event.reason : undefined },
        `lease ${event.type}`,
      )
    }
    for (const client of this.#clients) client.onLease()
  }

  #tick(): void {
    this.fanOut.tick()
    this.control.tick()
  }
}
