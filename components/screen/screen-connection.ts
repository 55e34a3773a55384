import { decodeGatewayFrame, type GatewayFrame } from '@/server/wire/gateway/frames'
import { type ClientMessage, type ServerMessage, serverMessage } from '@/server/wire/gateway/messages'

const firstRetryMs = 250
const lastRetryMs = 3_000
/** The gateway says something at least every 2 s. */
const silentMs = 5_000
const deadMs = 10_000
const checkMs = 1_000

export type ScreenConnectionListener = {
  onOpen(): void
  onClose(): void
  onMessage(message: ServerMessage): void
  onFrame(frame: GatewayFrame): void
  /** Nothing has come for 5 s on a socket that looks open, or something has again. */
  onSilence(isSilent: boolean): void
}

/** A WebSocket to one device that comes back by itself, 3 s later at most. */
export class ScreenConnection {
  readonly #url: string
  readonly #listener: ScreenConnectionListener
  #socket: WebSocket | null = null
  #retryMs = firstRetryMs
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #checkTimer: ReturnType<typeof setInterval> | undefined
  #heardAt = 0
  #isSilent = false
  #isStopped = false

  constructor(url: string, listener: ScreenConnectionListener) {
    this.#url = url
    this.#listener = listener
    this.#checkTimer = setInterval(() => this.#checkSilence(), checkMs)
    this.#open()
  }

  /** Sends, or drops what can't be sent: input for a device that isn't there must not arrive later. */
  send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#retryTimer)
    clearInterval(this.#checkTimer)
    this.#socket?.close(1000)
  }

  #open(): void {
    const socket = new WebSocket(this.#url)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#heardAt = performance.now()
    socket.onopen = () => {
      this.#retryMs = firstRetryMs
      this.#heardAt = performance.now()
      this.#listener.onOpen()
    }
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      this.#heardAt = performance.now()
      this.#setSilent(false)
      // What a newer gateway says and we can't read is skipped.
      if (typeof data === 'string') this.#readText(data)
      else this.#readFrame(data)
    }
    socket.onclose = () => this.#closed(socket)
  }

  #closed(socket: WebSocket): void {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#setSilent(false)
    this.#listener.onClose()
    if (this.#isStopped) return
    this.#retryTimer = setTimeout(() => this.#open(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs)
  }

  #readText(text: string): void {
    let message: ServerMessage
    try {
      message = serverMessage.parse(JSON.parse(text))
    } catch {
      return
    }
    this.#listener.onMessage(message)
  }

  #readFrame(bytes: ArrayBuffer): void {
    let frame: GatewayFrame
    try {
      frame = decodeGatewayFrame(new Uint8Array(bytes))
    } catch {
      return
    }
    this.#listener.onFrame(frame)
  }

  #checkSilence(): void {
    const socket = this.#socket
    if (socket === null) return
    const age = performance.now() - this.#heardAt
    if (socket.readyState === WebSocket.OPEN) this.#setSilent(age > silentMs)
    if (age <= deadMs) return
    // A connection that is lost without a word takes minutes to close by itself.
    socket.onclose = null
    socket.onmessage = null
    socket.close()
    this.#closed(socket)
  }

  #setSilent(isSilent: boolean): void {
    if (isSilent === this.#isSilent) return
    this.#isSilent = isSilent
    this.#listener.onSilence(isSilent)
  }
}
