import type { Clock } from '@/server/platform/clock'
import type { ClientMessage } from '@/server/wire/gateway/messages'
import type { ControlMessage } from '@/server/wire/scrcpy/control'
import {
  expireLease,
  holdsLease,
  type LeaseChange,
  type LeaseEvent,
  type LeaseParty,
  type LeaseState,
  releaseLease,
  renewLease,
  takeLease,
} from './lease'
import { Pointers } from './pointers'
import { textInputOf } from './text-input'

export type InputMessage = Extract<ClientMessage, { type: 'touch' | 'key' | 'text' | 'scroll' }>
export type Refusal = {
  code: 'not-allowed' | 'lease-held' | 'lease-lost' | 'bad-message' | 'rate-limited' | 'device-gone'
  message: string
}
export type InputOutcome = { ok: true; frameNumber: number } | ({ ok: false } & Refusal)

/** Where input goes. Both reject when the device is gone. */
export type InputTarget = {
  send(message: ControlMessage): Promise<void>
  paste(text: string): Promise<void>
  size(): { width: number; height: number } | null
  lastFrameNumber(): number
}

const longestQueue = 500

/**
 * The one way to touch a device: the lease, and input written in the order it came. Whoever loses the lease, by whatever
 * way, leaves no finger on the screen.
 */
export class DeviceControl {
  readonly #target: InputTarget
  readonly #clock: Clock
  readonly #onLease: (events: LeaseEvent[]) => void
  readonly #pointers = new Pointers()
  /** Connections that lost the lease against their will and have not taken it again. */
  readonly #losers = new Set<string>()
  #lease: LeaseState = null
  #queue: Promise<void> = Promise.resolve()
  #queued = 0

  constructor(options: { target: InputTarget; clock: Clock; onLease: (events: LeaseEvent[]) => void }) {
    this.#target = options.target
    this.#clock = options.clock
    this.#onLease = options.onLease
  }

  get lease(): LeaseState {
    return this.#lease
  }

  /** Whether the lease was granted. */
  take(party: LeaseParty, preempt: boolean): boolean {
    return this.#apply(takeLease(this.#lease, party, { now: this.#clock(), preempt }))
  }

  renew(connectionId: string): boolean {
    return this.#apply(renewLease(this.#lease, connectionId, this.#clock()))
  }

  release(connectionId: string, reason: 'released' | 'disconnected'): boolean {
    if (reason === 'disconnected') this.#losers.delete(connectionId)
    return this.#apply(releaseLease(this.#lease, connectionId, reason))
  }

  /** Drops a lease that has run out; call it a few times a second. */
  tick(): void {
    this.#apply(expireLease(this.#lease, this.#clock()))
  }

  /** The screen session is over: fingers on it are gone with it. */
  forgetPointers(): void {
    this.#pointers.clear()
  }

  /** Writes one input; whether it may be written is decided when its turn comes. */
  input(connectionId: string, message: InputMessage): Promise<InputOutcome> {
    if (this.#queued >= longestQueue) {
      return Promise.resolve(refuse('rate-limited', 'The device does not keep up: send less.'))
    }
    this.#queued += 1
    const done = this.#queue.then(() => this.#write(connectionId, message))
    this.#queue = done.then(
      () => void (this.#queued -= 1),
      () => void (this.#queued -= 1),
    )
    return done
  }

  async #write(connectionId: string, message: InputMessage): Promise<InputOutcome> {
    if (!holdsLease(this.#lease, connectionId, this.#clock())) {
      // Found out here first: the holder must hear that it is over, and no finger may stay.
      this.tick()
      return this.#refuseWithoutLease(connectionId)
    }
    try {
      const isDone = await this.#perform(message)
      if (!isDone)
        return refuse('bad-message', 'That touch does not fit: it is off the frame or its finger is not down.')
      return { ok: true, frameNumber: this.#target.lastFrameNumber() }
    } catch (error) {
      return refuse('device-gone', error instanceof Error ? error.message : String(error))
    }
  }

  #refuseWithoutLease(connectionId: string): InputOutcome {
    if (this.#losers.has(connectionId)) {
      const holder = this.#lease === null ? 'it ran out' : `${this.#lease.name} has it now`
      return refuse('lease-lost', `You have lost the lease of this device: ${holder}.`)
    }
    if (this.#lease === null) return refuse('not-allowed', 'Take the lease of this device first.')
    return refuse('lease-held', `${this.#lease.name} has this device at the moment.`)
  }

  async #perform(message: InputMessage): Promise<boolean> {
    switch (message.type) {
      case 'touch': {
        const touch = this.#pointers.accept(message)
        if (touch === null) return false
        await this.#target.send(touch)
        return true
      }
      case 'key': {
        const { action, keycode, metaState } = message
        await this.#target.send({ type: 'inject-keycode', action, keycode, repeat: 0, metaState })
        return true
      }
      case 'text': {
        const input = textInputOf(message.text)
        if (input.way === 'paste') await this.#target.paste(input.text)
        else for (const text of input.chunks) await this.#target.send({ type: 'inject-text', text })
        return true
      }
      case 'scroll': {
        const { x, y, width, height, horizontal, vertical } = message
        if (x >= width || y >= height) return false
        const position = { x, y, screenWidth: width, screenHeight: height }
        await this.#target.send({ type: 'inject-scroll', ...position, horizontal, vertical, buttons: 0 })
        return true
      }
      default:
        throw new Error(`unknown input ${JSON.stringify(message satisfies never)}`)
    }
  }

  #apply({ state, granted, events }: LeaseChange): boolean {
    this.#lease = state
    for (const event of events) {
      if (event.type === 'taken') this.#losers.delete(event.lease.connectionId)
      if (event.type !== 'lost') continue
      if (event.reason === 'expired' || event.reason === 'preempted') this.#losers.add(event.lease.connectionId)
      this.#releasePointers()
    }
    if (events.length > 0) this.#onLease(events)
    return granted
  }

  #releasePointers(): void {
    this.#queue = this.#queue.then(async () => {
      for (const up of this.#pointers.releaseAll(this.#target.size())) {
        // A device that is gone has no fingers on it either.
        await this.#target.send(up).catch(() => undefined)
      }
    })
  }
}

function refuse(code: Refusal['code'], message: string): InputOutcome {
  return { ok: false, code, message }
}
