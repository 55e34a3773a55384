import { ByteQueue } from '@/server/wire/byte-queue'

/**
 * Cuts a byte stream that arrives in arbitrary chunks into messages. `readNext` takes one message from the queue, or
 * returns undefined and takes nothing when it has not arrived in full. Once it has thrown, every later `push` throws
 * the same error: after a broken message the position in the stream is lost, and messages of the same chunk before it are
 * dropped. Chunks must not be reused by the caller.
 */
export class StreamParser<Message> {
  readonly #queue = new ByteQueue()
  readonly #readNext: (queue: ByteQueue) => Message | undefined
  #failure: { error: unknown } | undefined

  constructor(readNext: (queue: ByteQueue) => Message | undefined) {
    this.#readNext = readNext
  }

  /** Returns the messages completed by this chunk, oldest first. Throws WireError when the stream breaks its protocol. */
  push(chunk: Uint8Array): Message[] {
    if (this.#failure !== undefined) throw this.#failure.error
    this.#queue.push(chunk)
    const messages: Message[] = []
    try {
      for (;;) {
        const message = this.#readNext(this.#queue)
        if (message === undefined) return messages
        messages.push(message)
      }
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }

  /** Bytes of an unfinished message; 0 when the stream may end here. */
  get pendingBytes(): number {
    return this.#queue.length
  }
}
