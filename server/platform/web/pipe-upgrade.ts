import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isForgedHeader } from './security-headers'

/** Answers an upgrade with an HTTP error, so that the client is told instead of left waiting, and closes it. */
export function refuseUpgrade(socket: Duplex, status: number, message: string): void {
  socket.on('error', () => undefined)
  const body = `${message}\n`
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      '',
      body,
    ].join('\r\n'),
  )
}

/**
 * Hands a connection to the gateway as it came: same request line, same Host, and from then on bytes both ways, each
 * side read only as fast as the other takes them. Returns the gateway's socket.
 */
export function pipeUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, gateway: { port: number }): Socket {
  const upstream = connect({ port: gateway.port, host: '127.0.0.1', noDelay: true })
  if ('setNoDelay' in socket) (socket as Socket).setNoDelay(true).setTimeout(0)
  let isConnected = false
  upstream.once('connect', () => {
    isConnected = true
    upstream.write(requestHead(request))
    if (head.length > 0) upstream.write(head)
    socket.pipe(upstream)
    upstream.pipe(socket)
  })
  upstream.once('error', () => {
    if (isConnected) socket.destroy()
    else refuseUpgrade(socket, 503, 'The gateway is not running.')
  })
  upstream.once('close', () => {
    if (isConnected) socket.end(() => socket.destroy())
  })
  socket.once('error', () => upstream.destroy())
  socket.once('close', () => upstream.destroy())
  return upstream
}

function requestHead(request: IncomingMessage): string {
  const lines = [`${request.method} ${request.url} HTTP/1.1`]
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? ''
    if (!isForgedHeader(name, request.socket.remoteAddress)) lines.push(`${name}: ${request.rawHeaders[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
