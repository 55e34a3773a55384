import type { GatewayFrame } from '@/server/wire/gateway/frames'
import { codecOf } from '@/server/wire/h264/configuration'

/** More than this waits to be decoded: the decoder does not keep up, and what it decodes is already old. */
const longestQueue = 3
/** A newcomer is sent all since the last key frame at once: that is no sign of a slow decoder. */
const longestCatchUp = 600

export type FrameDecoderListener = {
  /** The listener closes the frame. */
  onPicture(picture: VideoFrame): void
  /** The decoder needs a new key frame to go on. */
  onKeyFrameNeeded(): void
  onUnsupported(codec: string): void
}

/** H.264 to pictures by WebCodecs: the newest wins, and after an error or a gap it goes on with the next key frame. */
export class FrameDecoder {
  readonly #listener: FrameDecoderListener
  #decoder: VideoDecoder | null = null
  #configuration: Uint8Array<ArrayBuffer> | null = null
  #needsConfiguration = true
  #waitsForKey = true
  #isCatchingUp = false

  constructor(listener: FrameDecoderListener) {
    this.#listener = listener
  }

  push(frame: GatewayFrame): void {
    if (frame.kind === 'configuration') this.#configure(new Uint8Array(frame.data))
    else this.#decode(frame)
  }

  /** The stream broke off: nothing is decoded before the next configuration. */
  interrupt(): void {
    this.#waitsForKey = true
  }

  close(): void {
    if (this.#decoder !== null && this.#decoder.state !== 'closed') this.#decoder.close()
    this.#decoder = null
    this.#configuration = null
  }

  #configure(configuration: Uint8Array<ArrayBuffer>): void {
    this.#waitsForKey = true
    this.#needsConfiguration = true
    this.#isCatchingUp = true
    const isKnown = this.#decoder?.state === 'configured' && isSame(this.#configuration, configuration)
    this.#configuration = configuration
    if (!isKnown) this.#restart()
  }

  #restart(): void {
    const configuration = this.#configuration
    if (configuration === null) return
    let codec = ''
    try {
      codec = codecOf(configuration)
      if (this.#decoder === null || this.#decoder.state === 'closed') this.#decoder = this.#create()
      else this.#decoder.reset()
      this.#decoder.configure({ codec, optimizeForLatency: true })
    } catch {
      // Broken parameter sets, or a codec this browser refuses at once.
      this.#configuration = null
      this.#listener.onUnsupported(codec)
    }
  }

  #create(): VideoDecoder {
    const decoder: VideoDecoder = new VideoDecoder({
      output: (picture) => {
        // While more of the same burst is still to come, this one is already old.
        if (decoder.decodeQueueSize > longestQueue) picture.close()
        else this.#listener.onPicture(picture)
      },
      error: (error) => {
        if (this.#decoder !== decoder) return
        this.#decoder = null
        if (error.name === 'NotSupportedError') {
          this.#listener.onUnsupported(this.#configuration === null ? '' : codecOf(this.#configuration))
          this.#configuration = null
        } else {
          this.#skipToKeyFrame()
        }
      },
    })
    return decoder
  }

  #decode(frame: GatewayFrame): void {
    if (this.#configuration === null) return
    if (frame.isKey && this.#waitsForKey) {
      if (this.#decoder === null) this.#restart()
      this.#waitsForKey = false
    }
    const decoder = this.#decoder
    if (this.#waitsForKey || decoder === null || decoder.state !== 'configured') return
    if (decoder.decodeQueueSize <= 1 && !frame.isKey) this.#isCatchingUp = false
    if (decoder.decodeQueueSize > (this.#isCatchingUp ? longestCatchUp : longestQueue) && !frame.isKey) {
      this.#skipToKeyFrame()
      return
    }
    const data = this.#needsConfiguration && frame.isKey ? concatenate(this.#configuration, frame.data) : frame.data
    if (frame.isKey) this.#needsConfiguration = false
    decoder.decode(
      new EncodedVideoChunk({
        type: frame.isKey ? 'key' : 'delta',
        timestamp: Number(frame.ptsUs),
        data: new Uint8Array(data),
      }),
    )
  }

  #skipToKeyFrame(): void {
    this.#waitsForKey = true
    this.#needsConfiguration = true
    this.#listener.onKeyFrameNeeded()
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && one.length === other.length && one.every((byte, index) => byte === other[index])
}
