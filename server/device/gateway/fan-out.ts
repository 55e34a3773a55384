import { encodeGatewayFrame } from '@/server/wire/gateway/frames'
import type { VideoConfiguration, VideoFrame } from '../scrcpy/start-scrcpy-session'
import type { Clock } from '@/server/platform/clock'

/** Who is sent the video. `bufferedBytes` is what was sent and has not left this machine. */
export type FrameSink = {
  send(message: Uint8Array): void
  bufferedBytes(): number
  /** Called once when the sink has not drained for too long. */
  giveUp(): void
}

export const slowBytes = 1_048_576
const slowestMs = 10_000
const cacheBytes = 4_194_304
const cacheDurationUs = 2_000_000n
const resetIntervalMs = 2_000

type Viewer = {
  sink: FrameSink
  /** Sent everything since a key frame: the next frame may be sent. */
  isInStep: boolean
  slowSince: number | null
}

/** What a newcomer needs to see the picture at once: the configuration, the last key frame and all after it. */
type GopCache = { messages: Uint8Array[]; bytes: number; startedUs: bigint }

/**
 * Hands one device's video to any number of viewers. Each gets a configuration, then frames from a key frame on without
 * a gap; one that is too slow loses frames up to the next key frame (or the next catch-up) and never delays another.
 * It does no I/O: frames come in, messages go out, `tick` is called a few times a second.
 */
export class FanOut {
  readonly #viewers = new Map<FrameSink, Viewer>()
  readonly #resetVideo: () => void
  readonly #clock: Clock
  #configuration: VideoConfiguration | null = null
  #configurationMessage: Uint8Array | null = null
  #gop: GopCache | null = null
  #lastFrameNumber: number | null = null
  #lastResetAt = Number.NEGATIVE_INFINITY
  #wantsReset = false

  constructor(options: { resetVideo: () => void; clock: Clock }) {
    this.#resetVideo = options.resetVideo
    this.#clock = options.clock
  }

  get viewerCount(): number {
    return this.#viewers.size
  }

  /** Size in pixels of the video now; null before the first configuration. */
  get size(): { width: number; height: number } | null {
    return this.#configuration
  }

  /** Number of the newest frame of this session, -1 before the first. */
  get lastFrameNumber(): number {
    return this.#lastFrameNumber ?? -1
  }

  add(sink: FrameSink): void {
    const viewer: Viewer = { sink, isInStep: false, slowSince: null }
    this.#viewers.set(sink, viewer)
    this.#catchUp(viewer)
  }

  remove(sink: FrameSink): void {
    this.#viewers.delete(sink)
  }

  /** Asks the device for a key frame, at most once in 2 s for all viewers together; sooner asked, it is asked then. */
  requestKeyFrame(): void {
    const now = this.#clock()
    this.#wantsReset = now - this.#lastResetAt < resetIntervalMs
    if (this.#wantsReset) return
    this.#lastResetAt = now
    this.#resetVideo()
  }

  /** A new configuration makes all frames before it useless. */
  configure(configuration: VideoConfiguration): void {
    this.#configuration = configuration
    this.#gop = null
    // A key frame follows by itself.
    this.#lastResetAt = this.#clock()
    this.#wantsReset = false
    this.#configurationMessage = encodeGatewayFrame({
      kind: 'configuration',
      isKey: false,
      ...sizeOf(configuration),
      frameNumber: this.lastFrameNumber + 1,
      ptsUs: 0n,
      data: configuration.data,
    })
    // A key frame follows: until then nobody is in step, and the catch-up brings the configuration with it.
    for (const viewer of this.#viewers.values()) viewer.isInStep = false
  }

  push(frame: VideoFrame): void {
    const configuration = this.#configuration
    if (configuration === null) return
    this.#lastFrameNumber = frame.frameNumber
    const { isKey, frameNumber, ptsUs, data } = frame
    const message = encodeGatewayFrame({ kind: 'frame', isKey, ...sizeOf(configuration), frameNumber, ptsUs, data })
    this.#remember(frame, message)
    for (const viewer of this.#viewers.values()) {
      if (this.#isSlow(viewer)) viewer.isInStep = false
      else if (viewer.isInStep) viewer.sink.send(message)
      else if (isKey) this.#catchUp(viewer)
    }
  }

  /** Brings viewers that have fallen out of step back, and gives up those that have been stuck for 10 s. */
  tick(): void {
    if (this.#wantsReset) this.requestKeyFrame()
    for (const viewer of this.#viewers.values()) {
      if (this.#isSlow(viewer)) {
        viewer.isInStep = false
        if (this.#clock() - (viewer.slowSince ?? 0) >= slowestMs) {
          this.#viewers.delete(viewer.sink)
          viewer.sink.giveUp()
        }
      } else if (!viewer.isInStep && this.#configuration !== null) {
        this.#catchUp(viewer)
      }
    }
  }

  /** Forgets the video, not the viewers: the session is over, another may begin. */
  reset(): void {
    this.#configuration = null
    this.#configurationMessage = null
    this.#gop = null
    this.#lastFrameNumber = null
    this.#lastResetAt = Number.NEGATIVE_INFINITY
    this.#wantsReset = false
    for (const viewer of this.#viewers.values()) viewer.isInStep = false
  }

  #catchUp(viewer: Viewer): void {
    if (this.#configurationMessage === null) return
    if (this.#gop === null) {
      this.requestKeyFrame()
      return
    }
    viewer.sink.send(this.#configurationMessage)
    for (const message of this.#gop.messages) viewer.sink.send(message)
    viewer.isInStep = true
  }

  #remember(frame: VideoFrame, message: Uint8Array): void {
    if (frame.isKey) {
      this.#gop = { messages: [message], bytes: message.length, startedUs: frame.ptsUs }
      return
    }
    if (this.#gop === null) return
    this.#gop.bytes += message.length
    this.#gop.messages.push(message)
    const isTooLong = frame.ptsUs - this.#gop.startedUs > cacheDurationUs
    if (isTooLong || this.#gop.bytes > cacheBytes) this.#gop = null
  }

  #isSlow(viewer: Viewer): boolean {
    const isSlow = viewer.sink.bufferedBytes() > slowBytes
    viewer.slowSince = isSlow ? (viewer.slowSince ?? this.#clock()) : null
    return isSlow
  }
}

function sizeOf({ width, height }: VideoConfiguration): { width: number; height: number } {
  return { width, height }
}
