import type { Socket } from 'node:net'
import type { Logger } from '@/server/platform/log'
import { BrokenPipeError } from '@/server/phone/shell/byte-pipe'
import { formatBanner, parseBanner } from '@/server/wire/adb/banner'
import {
  adbCommands,
  adbMaxPayloadBytes,
  AdbPacketParser,
  adbVersion,
  encodeAdbPacket,
  type AdbPacket,
} from '@/server/wire/adb/packet'
import { WireError } from '@/server/wire/wire-error'
import { AdbStream } from './adb-stream'
import type { Service } from './service-stream'

/** What the daemon says of itself; delayed_ack stays out: genuine adb never asks for it. */
const features = ['shell_v2', 'cmd', 'stat_v2', 'ls_v2', 'fixed_push_mkdir', 'fixed_push_symlink_timestamp']
const handshakeTimeoutMs = 10_000
const maxStreams = 64
/** adb before 2016 offers 4 KiB; nobody offers less. */
const leastMaxPayloadBytes = 1_024
const noPayload = new Uint8Array(0)

export type AdbTransportOptions = {
  /** `ro.product.*` of the banner. */
  properties: Record<string, string>
  /** The service of a name, or null to refuse it. */
  findService(name: string): Service | null
  logger: Logger
}

/** Serves one connection until it ends. A packet that breaks the protocol ends this connection and no other. */
export function serveAdbTransport(socket: Socket, options: AdbTransportOptions): void {
  const transport = new AdbTransport(socket, options)
  socket.setNoDelay(true)
  // A host that vanished without a word is noticed after about a minute.
  socket.setKeepAlive(true, 15_000)
  socket.on('data', (chunk) => transport.receive(chunk))
  socket.on('error', (error) => options.logger.debug({ err: error }, 'adb connection failed'))
  socket.on('close', () => transport.close())
}

class AdbTransport {
  readonly #socket: Socket
  readonly #options: AdbTransportOptions
  readonly #parser = new AdbPacketParser()
  readonly #streams = new Map<number, AdbStream>()
  readonly #handshakeTimer: NodeJS.Timeout
  #maxPayloadBytes: number | null = null
  #nextId = 1

  constructor(socket: Socket, options: AdbTransportOptions) {
    this.#socket = socket
    this.#options = options
    this.#handshakeTimer = setTimeout(() => this.#fail('no CNXN within 10 s'), handshakeTimeoutMs).unref()
  }

  receive(chunk: Uint8Array): void {
    if (this.#socket.destroyed) return
    try {
      for (const packet of this.#parser.push(chunk)) {
        this.#handle(packet)
        if (this.#socket.destroyed) return
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      this.#fail(error.message)
    }
  }

  close(): void {
    clearTimeout(this.#handshakeTimer)
    this.#closeStreams()
  }

  #handle(packet: AdbPacket): void {
    if (packet.command === adbCommands.CNXN) return this.#connect(packet)
    if (this.#maxPayloadBytes === null) throw new WireError('adb packet before CNXN')
    switch (packet.command) {
      case adbCommands.OPEN:
        return this.#open(packet, this.#maxPayloadBytes)
      case adbCommands.WRTE: {
        const stream = this.#streamOf(packet)
        if (stream?.receive(packet.payload) === false) throw new WireError('adb WRTE before the last was acknowledged')
        return
      }
      case adbCommands.OKAY:
        return this.#streamOf(packet)?.acknowledge()
      case adbCommands.CLSE:
        // A refused or finished stream may be closed with id 0.
        return this.#streams.get(packet.arg1)?.closeByHost({ answer: true })
      default:
        // AUTH and STLS mean nothing to a device that asked for neither.
        this.#options.logger.debug({ command: packet.command }, 'adb packet ignored')
    }
  }

  #connect(packet: AdbPacket): void {
    const banner = parseBanner(Buffer.from(packet.payload).toString('utf8'))
    if (banner.kind !== 'host') throw new WireError(`adb CNXN comes from a '${banner.kind}', not from a host`)
    if (packet.arg1 < leastMaxPayloadBytes) throw new WireError(`adb maximum payload ${packet.arg1} is too small`)
    clearTimeout(this.#handshakeTimer)
    // A second CNXN starts the transport anew, as in adbd.
    this.#closeStreams()
    this.#maxPayloadBytes = Math.min(packet.arg1, adbMaxPayloadBytes)
    const text = formatBanner({ kind: 'device', properties: this.#options.properties, features })
    this.#send({
      command: adbCommands.CNXN,
      arg0: adbVersion,
      arg1: adbMaxPayloadBytes,
      payload: Buffer.from(text, 'utf8'),
    })
  }

  #open(packet: AdbPacket, maxPayloadBytes: number): void {
    const remoteId = packet.arg0
    if (remoteId === 0) throw new WireError('adb OPEN with id 0')
    const name = Buffer.from(packet.payload).toString('utf8').replace(/\0+$/, '')
    const service = this.#streams.size >= maxStreams ? null : this.#options.findService(name)
    if (service === null) {
      this.#send({ command: adbCommands.CLSE, arg0: 0, arg1: remoteId, payload: noPayload })
      return
    }
    const localId = this.#nextId
    this.#nextId = (this.#nextId % 0x7fff_ffff) + 1
    const stream = new AdbStream({
      localId,
      remoteId,
      maxPayloadBytes,
      send: (sent) => this.#send(sent),
      onClosed: () => this.#streams.delete(localId),
    })
    this.#streams.set(localId, stream)
    this.#send({ command: adbCommands.OKAY, arg0: localId, arg1: remoteId, payload: noPayload })
    void this.#serve(service, stream, name)
  }

  async #serve(service: Service, stream: AdbStream, name: string): Promise<void> {
    try {
      await service(stream)
    } catch (error) {
      const isExpected = error instanceof BrokenPipeError || error instanceof WireError || stream.signal.aborted
      const record = { err: error, service: name.slice(0, 200) }
      if (isExpected) this.#options.logger.debug(record, 'adb service ended early')
      else this.#options.logger.error(record, 'adb service failed')
    } finally {
      stream.end()
    }
  }

  #streamOf(packet: AdbPacket): AdbStream | undefined {
    const stream = this.#streams.get(packet.arg1)
    return stream?.remoteId === packet.arg0 ? stream : undefined
  }

  #closeStreams(): void {
    for (const stream of this.#streams.values()) stream.closeByHost({ answer: false })
    this.#streams.clear()
  }

  #send(packet: AdbPacket): void {
    if (!this.#socket.destroyed) this.#socket.write(encodeAdbPacket(packet))
  }

  #fail(reason: string): void {
    this.#options.logger.warn({ reason }, 'adb connection refused')
    this.#socket.destroy()
  }
}
