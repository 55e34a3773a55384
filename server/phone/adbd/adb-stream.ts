import { BrokenPipeError } from '@/server/phone/shell/byte-pipe'
import { adbCommands, type AdbPacket } from '@/server/wire/adb/packet'
import type { ServiceStream } from './service-stream'

const noPayload = new Uint8Array(0)
/** A `write` waits while more than this is unacknowledged. */
const highWaterBytes = 1_048_576

export type AdbStreamOptions = {
  localId: number
  remoteId: number
  maxPayloadBytes: number
  send(packet: AdbPacket): void
  onClosed(): void
}

/**
 * One stream of a transport, device side. At most one WRTE is unacknowledged in each direction: ours are cut to the
 * host's maximum payload and joined while one is on its way; the host's are acknowledged when the service has read them.
 */
export class AdbStream implements ServiceStream {
  readonly remoteId: number
  readonly #options: AdbStreamOptions
  readonly #controller = new AbortController()
  readonly #incoming: Uint8Array[] = []
  readonly #outgoing: Uint8Array[] = []
  #waitingBytes = 0
  #inFlightBytes = 0
  #isEnding = false
  #isClosed = false
  #wakeReader: (() => void) | undefined
  #wakeWriters: (() => void)[] = []

  constructor(options: AdbStreamOptions) {
    this.#options = options
    this.remoteId = options.remoteId
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get queuedBytes(): number {
    return this.#waitingBytes + this.#inFlightBytes
  }

  async read(): Promise<Uint8Array | null> {
    for (;;) {
      const chunk = this.#incoming.shift()
      if (chunk !== undefined) {
        if (!this.#isClosed) this.#send(adbCommands.OKAY)
        return chunk
      }
      if (this.#isClosed) return null
      await new Promise<void>((resolve) => (this.#wakeReader = resolve))
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed || this.#isEnding) throw new BrokenPipeError('The adb stream is closed')
    if (bytes.length === 0) return
    this.#outgoing.push(bytes)
    this.#waitingBytes += bytes.length
    this.#flush()
    await this.drained(highWaterBytes)
  }

  async drained(maxBytes: number): Promise<void> {
    while (this.queuedBytes > maxBytes) {
      await new Promise<void>((resolve) => this.#wakeWriters.push(resolve))
      if (this.#isClosed) throw new BrokenPipeError('The adb stream is closed')
    }
  }

  end(): void {
    this.#isEnding = true
    this.#flush()
  }

  /** WRTE of the host. False when it sent one before the last was acknowledged. */
  receive(payload: Uint8Array): boolean {
    if (this.#isEnding || this.#isClosed) {
      if (!this.#isClosed) this.#send(adbCommands.OKAY)
      return true
    }
    if (this.#incoming.length > 0) return false
    this.#incoming.push(payload)
    this.#wakeReader?.()
    return true
  }

  /** OKAY of the host: the WRTE on its way has arrived. */
  acknowledge(): void {
    this.#inFlightBytes = 0
    this.#wake()
    this.#flush()
  }

  /** CLSE of the host, or the end of the transport (then nothing is answered). */
  closeByHost(options: { answer: boolean }): void {
    if (this.#isClosed) return
    this.#close(options.answer)
  }

  #flush(): void {
    if (this.#isClosed || this.#inFlightBytes > 0) return
    if (this.#waitingBytes > 0) {
      const payload = this.#takePayload()
      this.#inFlightBytes = payload.length
      this.#send(adbCommands.WRTE, payload)
    } else if (this.#isEnding) this.#close(true)
  }

  #takePayload(): Uint8Array {
    const parts: Uint8Array[] = []
    let room = this.#options.maxPayloadBytes
    while (room > 0) {
      const chunk = this.#outgoing.shift()
      if (chunk === undefined) break
      const part = chunk.subarray(0, room)
      if (part.length < chunk.length) this.#outgoing.unshift(chunk.subarray(part.length))
      parts.push(part)
      room -= part.length
    }
    const payload = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    this.#waitingBytes -= payload.length
    return payload
  }

  #close(isAnswered: boolean): void {
    this.#isClosed = true
    if (isAnswered) this.#send(adbCommands.CLSE)
    this.#outgoing.length = 0
    this.#waitingBytes = 0
    this.#inFlightBytes = 0
    this.#options.onClosed()
    this.#wakeReader?.()
    this.#wake()
    this.#controller.abort(new BrokenPipeError('The adb stream is closed'))
  }

  #wake(): void {
    const writers = this.#wakeWriters
    this.#wakeWriters = []
    for (const wake of writers) wake()
  }

  #send(command: number, payload: Uint8Array = noPayload): void {
    this.#options.send({ command, arg0: this.#options.localId, arg1: this.remoteId, payload })
  }
}
