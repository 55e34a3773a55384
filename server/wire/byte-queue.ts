const smallestBufferBytes = 1_024

/**
 * Bytes that have arrived and are not read yet. `take` and `peek` return views, never copies, and no later `push`
 * changes a view; in return the queue keeps the chunks it is given, so a caller must not reuse their memory.
 */
export class ByteQueue {
  #bytes: Uint8Array = new Uint8Array(0)
  #start = 0
  #end = 0
  #isOwned = false

  /** Number of unread bytes. */
  get length(): number {
    return this.#end - this.#start
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    if (this.length === 0) {
      this.#bytes = chunk
      this.#start = 0
      this.#end = chunk.length
      this.#isOwned = false
      return
    }
    // A buffer that is full is replaced, never compacted in place: views of it are still in use.
    if (!this.#isOwned || this.#end + chunk.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(smallestBufferBytes, 2 * (this.length + chunk.length)))
      larger.set(this.#bytes.subarray(this.#start, this.#end))
      this.#end = this.length
      this.#start = 0
      this.#bytes = larger
      this.#isOwned = true
    }
    this.#bytes.set(chunk, this.#end)
    this.#end += chunk.length
  }

  /** The next `count` bytes, still unread, or undefined when fewer have arrived. */
  peek(count: number): Uint8Array | undefined {
    if (this.length < count) return undefined
    return this.#bytes.subarray(this.#start, this.#start + count)
  }

  /** The next `count` bytes, now read, or undefined when fewer have arrived. */
  take(count: number): Uint8Array | undefined {
    const bytes = this.peek(count)
    if (bytes !== undefined) this.#start += count
    return bytes
  }
}
