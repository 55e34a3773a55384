import type { Service } from './service-stream'

/** The phone's abstract Unix sockets: `localabstract:NAME` reaches who listens on the name. */
export class AbstractSockets {
  readonly #listeners = new Map<string, Service>()

  /** Returns the end of listening, or null when the name is taken. */
  listen(name: string, serve: Service): (() => void) | null {
    if (this.#listeners.has(name)) return null
    this.#listeners.set(name, serve)
    return () => {
      if (this.#listeners.get(name) === serve) this.#listeners.delete(name)
    }
  }

  find(name: string): Service | null {
    return this.#listeners.get(name) ?? null
  }
}
