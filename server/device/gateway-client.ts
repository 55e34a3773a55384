import { WebSocket } from 'ws'
import { TaplineError } from '@/server/platform/errors'
import { decodeGatewayFrame } from '@/server/wire/gateway/frames'
import { type ClientMessage, type LeaseHolder, type ServerMessage, serverMessage } from '@/server/wire/gateway/messages'
import { type Deferred, deferred } from './deferred'
import { delay, raceAbort } from './race-abort'

const openTimeoutMs = 5_000
const firstFrameTimeoutMs = 15_000
const inputTimeoutMs = 15_000
const leaseTimeoutMs = 30_000
const renewMs = 5_000
const swipeStepMs = 16

/** The message of the `conflict` that an input ends with when a person has taken the device, or the lease ran out. */
export const leaseLostMessage = 'lease-lost'

export type SeenFrame = { frameNumber: number; width: number; height: number }
type Point = { x: number; y: number }
/** The input was written to the device after frame `frameNumber` of its session (-1: before the first). */
export type InputDone = { frameNumber: number }

export type GatewayConnection = {
  /**
   * Waits until the lease is free, takes it and renews it until `close` or `releaseLease`. Rejects with `busy` naming
   * the holder after `timeoutMs` (30 s by default).
   */
  takeLease(options?: { timeoutMs?: number }): Promise<void>
  releaseLease(): void
  /** Coordinates are pixels of the device's screen. All four reject with `conflict` `lease-lost` without the lease. */
  tap(at: Point, options?: { holdMs?: number }): Promise<InputDone>
  swipe(from: Point, to: Point, options?: { durationMs?: number }): Promise<InputDone>
  /** Presses and releases an Android key code. */
  key(keycode: number, options?: { metaState?: number }): Promise<InputDone>
  text(text: string): Promise<InputDone>
  lastFrame(): SeenFrame | null
  /** Resolves with the first frame, or the last when there is one. Rejects with `unavailable` when none comes. */
  firstFrame(): Promise<SeenFrame>
  /** Called once, when a lease that was taken is lost: to whom, or null when it ran out or the connection broke. */
  onLeaseLost(listener: (to: LeaseHolder | null) => void): void
  close(): void
}

type ConnectOptions = {
  /** `ws://127.0.0.1:<gateway port>`. */
  url: string
  agentToken: string
  deviceId: string
  episodeId: string
  /** How people see who drives. */
  name: string
  /** Closes the connection, also when it stands. */
  signal: AbortSignal
}

/**
 * Joins a device as an agent: the worker's way to touch it and to know its frames. Throws TaplineError `unavailable`
 * when the gateway does not answer or refuses, or the signal's reason.
 */
export async function connectToGateway(options: ConnectOptions): Promise<GatewayConnection> {
  const { signal } = options
  signal.throwIfAborted()
  const query = new URLSearchParams({ episode: options.episodeId, name: options.name })
  const socket = new WebSocket(`${options.url}/ws/device/${options.deviceId}?${query}`, {
    headers: { authorization: `Bearer ${options.agentToken}` },
    perMessageDeflate: false,
    handshakeTimeout: openTimeoutMs,
  })
  const client = new GatewayClient(socket)
  const abort = () => client.close()
  signal.addEventListener('abort', abort, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', abort))
  try {
    await raceAbort(client.ready, signal)
  } catch (error) {
    client.close()
    throw error
  }
  return client
}

class GatewayClient implements GatewayConnection {
  readonly #socket: WebSocket
  readonly #ready = deferred<void>()
  readonly #firstFrame = deferred<SeenFrame>()
  readonly #inputs = new Map<number, Deferred<InputDone>>()
  readonly #leaseWaiters = new Set<Deferred<void>>()
  #leaseLostListeners: ((to: LeaseHolder | null) => void)[] = []
  #lastFrame: SeenFrame | null = null
  #holder: LeaseHolder | null = null
  #hasLease = false
  #renewTimer: NodeJS.Timeout | null = null
  #nextInputId = 1

  constructor(socket: WebSocket) {
    this.#socket = socket
    // Both may fail before anyone asks for them.
    this.#ready.promise.catch(() => undefined)
    this.#firstFrame.promise.catch(() => undefined)
    socket.on('message', (data, isBinary) => {
      try {
        if (isBinary) this.#onFrame(data as Buffer)
        else this.#onMessage(serverMessage.parse(JSON.parse((data as Buffer).toString('utf8'))))
      } catch (cause) {
        this.#fail(new TaplineError('internal', 'The gateway sent something that we cannot read.', { cause }))
      }
    })
    socket.on('error', (cause) => {
      const message = `The gateway does not take us to the device: ${cause.message}.`
      this.#fail(new TaplineError('unavailable', message, { cause }))
    })
    socket.once('close', () => this.#fail(new TaplineError('unavailable', 'The connection to the gateway is closed.')))
  }

  /** Settles when the gateway has greeted us. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  async takeLease({ timeoutMs = leaseTimeoutMs }: { timeoutMs?: number } = {}): Promise<void> {
    if (this.#hasLease) return
    const waiter = deferred<void>()
    this.#leaseWaiters.add(waiter)
    if (this.#holder === null) this.#send({ type: 'lease.take', preempt: false })
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      await raceAbort(waiter.promise, limit)
    } catch (cause) {
      if (!limit.aborted) throw cause
      const holder = this.#holder?.name ?? 'Someone'
      throw new TaplineError('busy', `${holder} has the device: wait until it is handed back.`, { cause })
    } finally {
      this.#leaseWaiters.delete(waiter)
    }
  }

  releaseLease(): void {
    if (!this.#hasLease) return
    this.#endLease()
    this.#holder = null
    this.#send({ type: 'lease.release' })
  }

  async tap(at: Point, { holdMs = 0 }: { holdMs?: number } = {}): Promise<InputDone> {
    await this.#touch('down', at)
    if (holdMs > 0) await wait(holdMs)
    return this.#touch('up', at)
  }

  async swipe(from: Point, to: Point, { durationMs = 300 }: { durationMs?: number } = {}): Promise<InputDone> {
    await this.#touch('down', from)
    const steps = Math.max(1, Math.round(durationMs / swipeStepMs))
    for (let step = 1; step <= steps; step += 1) {
      await wait(durationMs / steps)
      const part = step / steps
      await this.#touch('move', { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
    }
    return this.#touch('up', to)
  }

  async key(keycode: number, { metaState = 0 }: { metaState?: number } = {}): Promise<InputDone> {
    await this.#input((id) => ({ type: 'key', id, action: 'down', keycode, metaState }))
    return this.#input((id) => ({ type: 'key', id, action: 'up', keycode, metaState }))
  }

  async text(text: string): Promise<InputDone> {
    return this.#input((id) => ({ type: 'text', id, text }))
  }

  lastFrame(): SeenFrame | null {
    return this.#lastFrame
  }

  async firstFrame(): Promise<SeenFrame> {
    if (this.#lastFrame !== null) return this.#lastFrame
    const limit = AbortSignal.timeout(firstFrameTimeoutMs)
    try {
      return await raceAbort(this.#firstFrame.promise, limit)
    } catch (cause) {
      if (!limit.aborted) throw cause
      throw new TaplineError('unavailable', 'The device shows no picture: is its screen on?', { cause })
    }
  }

  onLeaseLost(listener: (to: LeaseHolder | null) => void): void {
    this.#leaseLostListeners.push(listener)
  }

  close(): void {
    this.#leaseLostListeners = []
    this.#endLease()
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(1000)
    else this.#socket.terminate()
  }

  async #touch(action: 'down' | 'move' | 'up', at: Point): Promise<InputDone> {
    const { width, height } = this.#lastFrame ?? (await this.firstFrame())
    const x = Math.min(width - 1, Math.max(0, Math.round(at.x)))
    const y = Math.min(height - 1, Math.max(0, Math.round(at.y)))
    return this.#input((id) => ({ type: 'touch', id, action, pointerId: 0, x, y, width, height }))
  }

  async #input(messageOf: (id: number) => ClientMessage): Promise<InputDone> {
    const id = this.#nextInputId++
    const done = deferred<InputDone>()
    this.#inputs.set(id, done)
    const limit = AbortSignal.timeout(inputTimeoutMs)
    try {
      this.#send(messageOf(id))
      return await raceAbort(done.promise, limit)
    } catch (cause) {
      if (!limit.aborted) throw cause
      throw new TaplineError('unavailable', 'The device does not take input.', { cause })
    } finally {
      this.#inputs.delete(id)
    }
  }

  #renew(): void {
    // When it closes at this moment, its close event says that the lease is lost.
    if (this.#socket.readyState === WebSocket.OPEN) this.#send({ type: 'lease.renew' })
  }

  #send(message: ClientMessage): void {
    if (this.#socket.readyState !== WebSocket.OPEN) {
      throw new TaplineError('unavailable', 'The connection to the gateway is closed.')
    }
    this.#socket.send(JSON.stringify(message))
  }

  #onFrame(bytes: Buffer): void {
    const { kind, frameNumber, width, height } = decodeGatewayFrame(bytes)
    if (kind === 'configuration') return
    this.#lastFrame = { frameNumber, width, height }
    this.#firstFrame.resolve(this.#lastFrame)
  }

  #onMessage(message: ServerMessage): void {
    switch (message.type) {
      case 'hello':
        this.#ready.resolve()
        break
      case 'state':
        break
      case 'lease':
        this.#onLease(message.holder)
        break
      case 'input.done':
        this.#inputs.get(message.id)?.resolve({ frameNumber: message.frameNumber })
        break
      case 'refused':
        if (message.id !== undefined) this.#inputs.get(message.id)?.reject(errorOf(message.code, message.message))
        break
      default:
        throw new Error(`unknown message ${JSON.stringify(message satisfies never)}`)
    }
  }

  #onLease(holder: LeaseHolder | null): void {
    this.#holder = holder
    if (holder?.mine === true) {
      if (!this.#hasLease && this.#leaseWaiters.size === 0) {
        // It was granted after whoever asked had given up.
        this.#send({ type: 'lease.release' })
        return
      }
      this.#hasLease = true
      this.#renewTimer ??= setInterval(() => this.#renew(), renewMs)
      for (const waiter of this.#leaseWaiters) waiter.resolve()
      return
    }
    if (this.#hasLease) this.#loseLease(holder)
    if (holder === null && this.#leaseWaiters.size > 0) this.#send({ type: 'lease.take', preempt: false })
  }

  #loseLease(to: LeaseHolder | null): void {
    this.#endLease()
    for (const listener of this.#leaseLostListeners) listener(to)
  }

  #endLease(): void {
    this.#hasLease = false
    if (this.#renewTimer !== null) clearInterval(this.#renewTimer)
    this.#renewTimer = null
  }

  #fail(error: TaplineError): void {
    this.#ready.reject(error)
    this.#firstFrame.reject(error)
    for (const input of this.#inputs.values()) input.reject(error)
    for (const waiter of this.#leaseWaiters) waiter.reject(error)
    if (this.#hasLease) this.#loseLease(null)
    this.#socket.terminate()
  }
}

function errorOf(code: string, message: string): TaplineError {
  switch (code) {
    case 'lease-lost':
      return new TaplineError('conflict', leaseLostMessage)
    case 'lease-held':
      return new TaplineError('busy', message)
    case 'not-allowed':
      return new TaplineError('not-allowed', message)
    case 'bad-message':
      return new TaplineError('bad-input', message)
    case 'rate-limited':
      return new TaplineError('rate-limited', message)
    default:
      return new TaplineError('unavailable', message)
  }
}

function wait(ms: number): Promise<void> {
  return delay(ms, new AbortController().signal)
}
