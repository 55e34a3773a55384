/** Where a command reads from: the next bytes, or null at the end. */
export type ByteSource = { read(): Promise<Uint8Array | null> }

/** Where a command writes to. Resolves when more may be written; rejects with BrokenPipeError when nobody reads any more. */
export type ByteSink = { write(bytes: Uint8Array): Promise<void> }

/** The other end of a pipe or stream has gone. */
export class BrokenPipeError extends Error {
  override readonly name = 'BrokenPipeError'
}

export const emptySource: ByteSource = { read: () => Promise.resolve(null) }

const pipeCapacityBytes = 65_536

/** A pipe between two commands: a write waits while more than 64 KiB are unread. */
export class BytePipe implements ByteSource, ByteSink {
  readonly #chunks: Uint8Array[] = []
  #queuedBytes = 0
  #isWriterClosed = false
  #isReaderClosed = false
  #wake: (() => void)[] = []

  async read(): Promise<Uint8Array | null> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk !== undefined) {
        this.#queuedBytes -= chunk.length
        this.#wakeAll()
        return chunk
      }
      if (this.#isWriterClosed || this.#isReaderClosed) return null
      await this.#change()
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isReaderClosed || this.#isWriterClosed) throw new BrokenPipeError('Broken pipe')
    if (bytes.length === 0) return
    this.#chunks.push(bytes)
    this.#queuedBytes += bytes.length
    this.#wakeAll()
    while (this.#queuedBytes > pipeCapacityBytes && !this.#isReaderClosed) await this.#change()
  }

  /** The reader sees the end after what is queued. */
  closeWriter(): void {
    this.#isWriterClosed = true
    this.#wakeAll()
  }

  /** Later writes reject; waiting ones return. */
  closeReader(): void {
    this.#isReaderClosed = true
    this.#chunks.length = 0
    this.#queuedBytes = 0
    this.#wakeAll()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve))
  }

  #wakeAll(): void {
    const waiting = this.#wake
    this.#wake = []
    for (const wake of waiting) wake()
  }
}

/** Keeps what is written; rejects past `limitBytes`. */
export class ByteCollector implements ByteSink {
  readonly #chunks: Uint8Array[] = []
  readonly #limitBytes: number
  #length = 0

  constructor(limitBytes = 16 * 1_048_576) {
    this.#limitBytes = limitBytes
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#length + bytes.length > this.#limitBytes) return Promise.reject(new BrokenPipeError('Too much output'))
    this.#chunks.push(bytes)
    this.#length += bytes.length
    return Promise.resolve()
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  text(): string {
    return this.bytes().toString('utf8')
  }
}

/** Reads a source to its end; throws BrokenPipeError past `limitBytes`. */
export async function readAll(source: ByteSource, limitBytes = 256 * 1_048_576): Promise<Buffer> {
  const collector = new ByteCollector(limitBytes)
  for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) await collector.write(chunk)
  return collector.bytes()
}
