import { connect, type Socket } from 'node:net'
import { Adb, type AdbCredentialStore, AdbDaemonTransport, AdbPacket, AdbPacketSerializeStream } from '@yume-chan/adb'
import { MaybeConsumable, pipeFrom, PushReadableStream, StructDeserializeStream } from '@yume-chan/stream-extra'
import { TaplineError } from '@/server/platform/errors'
import { createCredentialStore } from './credential-store'

const connectTimeoutMs = 3_000
/** A device that doesn't know our key asks the person who holds it: that takes time. */
const authenticationTimeoutMs = 30_000

type OpenAdbOptions = {
  /** Ends the connection, also when it stands. */
  signal?: AbortSignal
  /** The key to sign in with; by default a new one, which real devices ask about. */
  credentialStore?: AdbCredentialStore
}

/**
 * Connects to the adb daemon at `host:port`. Whoever opens it closes it (`close()`, or the signal); `disconnected`
 * settles when the connection is gone. Throws TaplineError `unavailable` naming the address, or the signal's reason.
 */
export async function openAdb(address: string, options: OpenAdbOptions = {}): Promise<Adb> {
  const { signal } = options
  signal?.throwIfAborted()
  const socket = await dial(address, signal)
  const abort = () => socket.destroy()
  signal?.addEventListener('abort', abort, { once: true })
  const removeAbort = () => signal?.removeEventListener('abort', abort)
  const timer = setTimeout(abort, authenticationTimeoutMs)
  try {
    const transport = await AdbDaemonTransport.authenticate({
      serial: address,
      connection: packetsOf(socket),
      credentialStore: options.credentialStore ?? createCredentialStore(),
    })
    // Node would otherwise report a lost connection that nobody waits for as an unhandled rejection.
    transport.disconnected
      .catch(() => undefined)
      .finally(() => {
        removeAbort()
        socket.destroy()
      })
    return new Adb(transport)
  } catch (cause) {
    removeAbort()
    socket.destroy()
    signal?.throwIfAborted()
    throw new TaplineError('unavailable', `${address} did not let us in: allow USB debugging on the device.`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

function dial(address: string, signal: AbortSignal | undefined): Promise<Socket> {
  const { host, port } = parseAddress(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 5_000 })
    const fail = (cause: unknown) => {
      finish()
      socket.destroy()
      reject(
        signal?.aborted
          ? signal.reason
          : new TaplineError('unavailable', `No adb daemon answers at ${address}: is the device on and connected?`, {
              cause,
            }),
      )
    }
    const finish = () => {
      clearTimeout(timer)
      socket.off('error', fail)
      signal?.removeEventListener('abort', fail)
    }
    const timer = setTimeout(() => fail(new Error(`no connection within ${connectTimeoutMs} ms`)), connectTimeoutMs)
    signal?.addEventListener('abort', fail, { once: true })
    socket.once('error', fail)
    socket.once('connect', () => {
      finish()
      resolve(socket)
    })
  })
}

function parseAddress(address: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  if (host === undefined || !(port > 0 && port < 65_536)) {
    throw new TaplineError('bad-input', `Device address ${JSON.stringify(address)} is not host:port.`)
  }
  return { host, port }
}

/** The socket as adb packets both ways, with back-pressure. */
function packetsOf(socket: Socket) {
  const incoming = new PushReadableStream<Uint8Array>((controller) => {
    socket.on('data', (chunk: Uint8Array) => {
      socket.pause()
      controller.enqueue(chunk).then(
        () => socket.resume(),
        () => socket.destroy(),
      )
    })
    socket.on('error', () => undefined)
    socket.once('close', () => {
      try {
        controller.close()
      } catch {
        // The reader was first: the transport has been closed from our side.
      }
    })
    controller.abortSignal.addEventListener('abort', () => socket.destroy())
  })
  const outgoing = new MaybeConsumable.WritableStream<Uint8Array>({
    // A failed write is not an error here: Tango answers packets without looking, and would reject where nobody listens.
    // That the connection is lost shows at the reading end, which ends when the socket closes.
    write: (chunk) =>
      new Promise<void>((resolve) => {
        if (socket.destroyed || !socket.writable) return resolve()
        socket.write(chunk, () => resolve())
      }),
    close: () => void socket.end(),
    abort: () => void socket.destroy(),
  })
  return {
    readable: incoming.pipeThrough(new StructDeserializeStream(AdbPacket)),
    writable: pipeFrom(outgoing, new AdbPacketSerializeStream()),
  }
}
