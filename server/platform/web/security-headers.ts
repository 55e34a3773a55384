import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopbackAddress } from '../people/host'

/**
 * What a page may load: only ours. Styles may be inline, because React writes `style` attributes into the first HTML;
 * scripts need the request's nonce. Next's development build evaluates strings.
 */
export function contentSecurityPolicy(nonce: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The policy of the few pages this server writes itself: no script, nothing loaded. */
const plainPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function setCommonHeaders(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
}

/** Sets the headers of an answer from Next, and tells Next the nonce by the request headers it reads it from. */
export function preparePage(request: IncomingMessage, response: ServerResponse, isDevelopment: boolean): void {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, isDevelopment)
  setCommonHeaders(response)
  response.setHeader('Content-Security-Policy', policy)
  request.headers['x-nonce'] = nonce
  request.headers['content-security-policy'] = policy
}

/** Answers with a page or text of our own; nothing keeps a copy of it. */
export function sendPlain(
  response: ServerResponse,
  answer: { status: number; type: 'html' | 'plain'; body: string; headers?: Record<string, string> },
): void {
  setCommonHeaders(response)
  response.setHeader('Content-Security-Policy', plainPolicy)
  response.setHeader('Cache-Control', 'no-store')
  response.writeHead(answer.status, {
    'Content-Type': `text/${answer.type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(answer.body),
    ...answer.headers,
  })
  response.end(answer.body)
}

/** Headers by which a client could pretend to be a proxy of ours, or Next itself. */
export function isForgedHeader(name: string, remoteAddress: string | undefined): boolean {
  const lower = name.toLowerCase()
  if (lower.startsWith('x-middleware-') || lower === 'x-nonce' || lower === 'content-security-policy') return true
  return (lower.startsWith('x-forwarded-') || lower === 'forwarded') && !isLoopbackAddress(remoteAddress)
}

export function removeForgedHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) {
    if (isForgedHeader(name, request.socket.remoteAddress)) delete request.headers[name]
  }
}

/** Whether the browser came over TLS, which only a proxy on this machine can tell us. */
export function cameOverTls(request: IncomingMessage): boolean {
  return isLoopbackAddress(request.socket.remoteAddress) && request.headers['x-forwarded-proto'] === 'https'
}
