import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ServiceStream } from '@/server/phone/adbd/service-stream'
import { BrokenPipeError } from '@/server/phone/shell/byte-pipe'

const maxLineBytes = 1_048_576
const newline = 0x0a

/** MCP over a byte stream: one JSON-RPC message a line, at most 1 MiB (the framing of MCP's stdio transport). */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #stream: ServiceStream
  #finished = () => {}
  /** Resolves when the stream has ended or `close` was called. */
  readonly finished = new Promise<void>((resolve) => (this.#finished = resolve))

  constructor(stream: ServiceStream) {
    this.#stream = stream
  }

  async start(): Promise<void> {
    // Reading goes on for as long as the connection; its end is `finished`.
    void this.#readLines()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#stream.write(Buffer.from(`${JSON.stringify(message)}\n`, 'utf8'))
    } catch (error) {
      // The host has gone; `finished` tells.
      if (!(error instanceof BrokenPipeError)) throw error
    }
  }

  async close(): Promise<void> {
    this.#finished()
    this.onclose?.()
  }

  async #readLines(): Promise<void> {
    let parts: Uint8Array[] = []
    let partBytes = 0
    try {
      for (let chunk = await this.#stream.read(); chunk !== null; chunk = await this.#stream.read()) {
        let start = 0
        for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
          if (partBytes + end - start > maxLineBytes) return await this.#refuseLength()
          await this.#receive(Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8'))
          parts = []
          partBytes = 0
          start = end + 1
        }
        parts.push(chunk.subarray(start))
        partBytes += chunk.length - start
        if (partBytes > maxLineBytes) return await this.#refuseLength()
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    } finally {
      await this.close()
    }
  }

  async #receive(line: string): Promise<void> {
    if (line.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return this.#refuse(-32700, 'Parse error: the line is not JSON')
    }
    const message = JSONRPCMessageSchema.safeParse(value)
    if (!message.success) return this.#refuse(-32600, 'Invalid Request: the line is not a JSON-RPC message')
    this.onmessage?.(message.data)
  }

  async #refuseLength(): Promise<void> {
    await this.#refuse(-32600, `Invalid Request: a line has at most ${maxLineBytes} bytes`)
  }

  /** JSON-RPC answers what it can't read with id null, which the SDK's types don't know. */
  async #refuse(code: number, message: string): Promise<void> {
    await this.#stream.write(
      Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`, 'utf8'),
    )
  }
}
