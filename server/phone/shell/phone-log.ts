export type LogPriority = 'V' | 'D' | 'I' | 'W' | 'E'
export type LogLine = { at: number; priority: LogPriority; processId: number; tag: string; message: string }

const capacity = 2_000

/** What `logcat` shows: the last 2 000 lines of the phone's own log, in the phone's time. */
export class PhoneLog {
  readonly #now: () => number
  readonly #listeners = new Set<(line: LogLine) => void>()
  #lines: LogLine[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  write(priority: LogPriority, tag: string, message: string): void {
    const line = { at: this.#now(), priority, processId: 1_000, tag, message }
    this.#lines.push(line)
    if (this.#lines.length > capacity) this.#lines = this.#lines.slice(-capacity)
    for (const listener of this.#listeners) listener(line)
  }

  lines(): readonly LogLine[] {
    return this.#lines
  }

  clear(): void {
    this.#lines = []
  }

  /** Returns the unsubscriber. */
  onLine(listener: (line: LogLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
