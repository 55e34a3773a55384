import { WebSocket } from 'ws'
import { decodeGatewayFrame, type GatewayFrame } from '@/server/wire/gateway/frames'
import { type ClientMessage, type ServerMessage, serverMessage } from '@/server/wire/gateway/messages'

export type Received = { frames: GatewayFrame[]; messages: ServerMessage[]; closeCode: number | null }

/** A viewer that keeps all it receives. */
export class TestClient {
  readonly received: Received = { frames: [], messages: [], closeCode: null }
  readonly socket: WebSocket
  readonly #waiters = new Set<() => void>()

  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(url, { headers, perMessageDeflate: false })
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) this.received.frames.push(decodeGatewayFrame(new Uint8Array(data as Buffer)))
      else this.received.messages.push(serverMessage.parse(JSON.parse((data as Buffer).toString('utf8'))))
      this.#wake()
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', (code) => {
      this.received.closeCode = code
      this.#wake()
    })
  }

  send(message: ClientMessage | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Resolves with what `find` returns, as soon as that is not undefined. */
  waitFor<Found>(find: (received: Received) => Found | undefined): Promise<Found> {
    return new Promise((resolve) => {
      const check = () => {
        const found = find(this.received)
        if (found === undefined) return
        this.#waiters.delete(check)
        resolve(found)
      }
      this.#waiters.add(check)
      check()
    })
  }

  waitForKeyFrame(): Promise<GatewayFrame> {
    return this.waitFor(({ frames }) => frames.find((frame) => frame.isKey))
  }

  waitForMessage<Type extends ServerMessage['type']>(
    type: Type,
    matches: (message: Extract<ServerMessage, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<ServerMessage, { type: Type }>> {
    return this.waitFor(({ messages }) =>
      messages.find(
        (message): message is Extract<ServerMessage, { type: Type }> =>
          message.type === type && matches(message as Extract<ServerMessage, { type: Type }>),
      ),
    )
  }

  waitForClose(): Promise<number> {
    return this.waitFor(({ closeCode }) => closeCode ?? undefined)
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.waitForClose()
  }

  #wake(): void {
    for (const check of this.#waiters) check()
  }
}
