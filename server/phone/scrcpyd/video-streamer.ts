import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceStream } from '@/server/phone/adbd/service-stream'
import type { PhoneMachine } from '@/server/phone/contract'
import { createH264Encoder } from '@/server/phone/encoder/h264-encoder'
import type { Rect } from '@/server/phone/ui/contract'
import { encodeVideoHeader, encodeVideoPacket, type VideoPacket } from '@/server/wire/scrcpy/video'
import type { ScreenFeed, ScreenSubscription } from './screen-feed'
import type { ScrcpyOptions } from './server-options'
import { VideoPicture } from './video-picture'
import type { Size } from './video-size'

const highestFps = 60
/** A recorder can't close a frame before the next has come, so the last one is sent once more. */
const settleMs = 150
/** While more is unacknowledged, frames are left out and their damage is joined. */
const maxQueuedBytes = 65_536

/** Sends the screen as H.264, a frame whenever it has changed. */
export class VideoStreamer {
  readonly #machine: PhoneMachine
  readonly #feed: ScreenFeed
  readonly #options: ScrcpyOptions
  readonly #size: Size
  readonly #startedAt = performance.now()
  #hasChanged = true
  #isKeyWanted = true
  #wake = () => {}
  #lastPtsUs = -1n

  constructor(machine: PhoneMachine, feed: ScreenFeed, options: ScrcpyOptions, size: Size) {
    this.#machine = machine
    this.#feed = feed
    this.#options = options
    this.#size = size
  }

  /** RESET_VIDEO: the configuration again, then a key frame, also of a screen that stands still. */
  reset(): void {
    this.#isKeyWanted = true
    this.#wake()
  }

  /** Runs until the signal aborts; rejects with BrokenPipeError when the socket closes first. */
  async run(stream: ServiceStream, signal: AbortSignal): Promise<void> {
    const subscription = this.#feed.subscribe()
    const unsubscribe = this.#machine.onChange(() => {
      this.#hasChanged = true
      this.#wake()
    })
    let onAbort = () => {}
    const aborted = new Promise<void>((resolve) => {
      onAbort = () => {
        resolve()
        this.#wake()
      }
    })
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      if (this.#options.sendCodecMeta) await stream.write(encodeVideoHeader({ codec: 'h264', ...this.#size }))
      // A client that has stopped reading must not keep a finished session.
      await Promise.race([this.#sendFrames(stream, subscription, signal), aborted])
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      unsubscribe()
      subscription.close()
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #sendFrames(stream: ServiceStream, subscription: ScreenSubscription, signal: AbortSignal): Promise<void> {
    const encoder = createH264Encoder(this.#size)
    const picture = new VideoPicture(this.#feed, this.#machine, this.#size)
    const fps = this.#options.maxFps === 0 ? highestFps : Math.min(highestFps, this.#options.maxFps)
    let sentAt = Number.NEGATIVE_INFINITY
    let isSettled = true
    const send = async (isKey: boolean, damage: readonly Rect[]) => {
      if (isKey)
        await this.#write(stream, { kind: 'configuration', isKey: false, ptsUs: 0n, data: encoder.configuration })
      const ptsUs = this.#nextPtsUs()
      const encoded = encoder.encode(picture.frame, { isKey, damage })
      await this.#write(stream, { kind: 'frame', isKey: encoded.isKey, ptsUs, data: encoded.data })
    }
    while (!signal.aborted) {
      if (!this.#hasChanged && !this.#isKeyWanted) {
        await this.#nextCause(isSettled ? null : sentAt + settleMs - performance.now())
      }
      const pauseMs = sentAt + 1_000 / fps - performance.now()
      if (pauseMs > 0) await delay(pauseMs, undefined, { signal })
      // Changes of the same turn go into one frame.
      else await new Promise((resolve) => setImmediate(resolve))
      await stream.drained(maxQueuedBytes)
      const isKey = this.#isKeyWanted
      this.#hasChanged = false
      this.#isKeyWanted = false
      const damage = picture.update(subscription.take())
      if (damage.length > 0 || isKey) {
        await send(isKey, damage)
        sentAt = performance.now()
        isSettled = false
      } else if (!isSettled && performance.now() >= sentAt + settleMs) {
        await send(false, [])
        isSettled = true
      }
    }
  }

  /** Waits for a change, a wanted key frame or the given time. */
  async #nextCause(timeoutMs: number | null): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (timeoutMs !== null) timer = setTimeout(resolve, Math.max(0, timeoutMs))
    })
    clearTimeout(timer)
    this.#wake = () => {}
  }

  async #write(stream: ServiceStream, packet: VideoPacket): Promise<void> {
    await stream.write(this.#options.sendFrameMeta ? encodeVideoPacket(packet) : packet.data)
  }

  #nextPtsUs(): bigint {
    const now = BigInt(Math.round((performance.now() - this.#startedAt) * 1_000))
    this.#lastPtsUs = now > this.#lastPtsUs ? now : this.#lastPtsUs + 1n
    return this.#lastPtsUs
  }
}
