const keptCharacters = 2_000

/** What scrcpy's server prints, for the text of an error. */
export class ServerOutput {
  /** Settles when the server has exited or its stream broke. */
  readonly ended: Promise<void>
  #text = ''

  constructor(output: AsyncIterable<Uint8Array>) {
    this.ended = this.#read(output)
  }

  /** "The screen server <what>", with the last that it printed. */
  explain(what: string): string {
    const printed = this.#text.trim()
    return `The screen server on the device ${what}${printed === '' ? '.' : `: ${printed}`}`
  }

  async #read(output: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of output) {
        this.#text = (this.#text + decoder.decode(chunk, { stream: true })).slice(-keptCharacters)
      }
    } catch {
      // The connection is gone; whoever holds it reports that.
    }
  }
}
