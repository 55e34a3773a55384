import { createServer, type Socket } from 'node:net'
import { TaplineError } from '@/server/platform/errors'
import { serveAdbTransport, type AdbTransportOptions } from './adb-transport'

const maxTransports = 16

export type AdbDaemon = {
  readonly port: number
  /** Ends every connection. */
  close(): Promise<void>
}

/** Listens on 127.0.0.1; `port` 0 takes a free one. Throws TaplineError `unavailable` when the port is taken. */
export async function startAdbDaemon(options: AdbTransportOptions & { port: number }): Promise<AdbDaemon> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    if (sockets.size >= maxTransports) {
      options.logger.warn({ limit: maxTransports }, 'adb connection refused: too many')
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveAdbTransport(socket, options)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new TaplineError('unavailable', `The phone can't listen on 127.0.0.1:${options.port}: ${error.message}`))
    })
    server.listen({ port: options.port, host: '127.0.0.1' }, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') {
    throw new TaplineError('internal', 'The phone listens on no TCP port.')
  }
  return {
    port: address.port,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      return closed
    },
  }
}
