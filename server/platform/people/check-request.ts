import type { IncomingHttpHeaders } from 'node:http'
import type { Database } from '@/db/client'
import type { Clock } from '../clock'
import type { TaplineEnvironment } from '../env'
import { authenticate } from './authenticate'
import type { SignedInPerson } from './contract'
import { isLoopbackAddress, isOwnHost } from './host'
import { isSameToken } from './token'

export type CheckedRequest = {
  method: string
  headers: IncomingHttpHeaders
  remoteAddress: string | undefined
  kind: 'request' | 'upgrade'
  /** As in the request line; the query is ignored. */
  path: string
}
export type CheckContext = {
  db: Database
  environment: Pick<TaplineEnvironment, 'host' | 'port' | 'gatewayPort' | 'publicHosts'>
  instanceId: string
  clock: Clock
  agentToken: string
}
export type RequestVerdict =
  | { ok: true; person: SignedInPerson | null; isAgent: boolean }
  | { ok: false; status: 401 | 403 | 405 | 421; message: string }

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * The one decision whether a request or upgrade may come in at all, the same in the web server and the gateway: Host,
 * then Origin and Fetch metadata, then the session or the worker's token. Whether a person may do what is asked is
 * decided again in each procedure.
 */
export async function checkRequest(request: CheckedRequest, context: CheckContext): Promise<RequestVerdict> {
  const refusal = refuseByHeaders(request, context)
  if (refusal !== null) return refusal
  if (isAgent(request, context.agentToken)) return { ok: true, person: null, isAgent: true }
  if (request.kind === 'request' && isPublic(request)) return { ok: true, person: null, isAgent: false }
  const person = await authenticate(context.db, request.headers.cookie, context.instanceId, context.clock)
  if (person !== null) return { ok: true, person, isAgent: false }
  return refuse(401, 'You are not signed in: run `npm run link` where Tapline runs and open the link it prints.')
}

function refuse(status: 401 | 403 | 405 | 421, message: string): RequestVerdict & { ok: false } {
  return { ok: false, status, message }
}

function refuseByHeaders(request: CheckedRequest, context: CheckContext): RequestVerdict | null {
  const { headers, kind, method } = request
  const { host, port, gatewayPort, publicHosts } = context.environment
  if (headers.host === undefined || !isOwnHost(headers.host, { host, ports: [port, gatewayPort], publicHosts })) {
    return refuse(421, 'This server does not answer to that Host. List it in TAPLINE_PUBLIC_HOSTS if it should.')
  }
  if (!methods.has(method) || (kind === 'upgrade' && method !== 'GET')) {
    return refuse(
      405,
      `${kind === 'upgrade' ? 'An upgrade' : 'A request'} can't use the method ${method.slice(0, 20)}.`,
    )
  }
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin, headers.host)) {
    return refuse(403, 'Requests from another origin are refused.')
  }
  if (isFromElsewhere(headers) && !(kind === 'request' && isTopLevelNavigation(request))) {
    return refuse(403, 'Requests from another site are refused.')
  }
  return null
}

/** Behind a proxy the scheme may be either; what matters is that the name and port are those the browser asked for. */
function isOwnOrigin(origin: string, host: string): boolean {
  const lower = origin.toLowerCase()
  return lower === `http://${host.toLowerCase()}` || lower === `https://${host.toLowerCase()}`
}

/** `same-site` is another port or a sister domain: not us, though cookies would be sent. */
function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function isTopLevelNavigation({ headers, method }: Pick<CheckedRequest, 'headers' | 'method'>): boolean {
  const isReading = method === 'GET' || method === 'HEAD'
  return isReading && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** Whether the person came by a link on another site: a Strict cookie is missing then, also when they are signed in. */
export function isNavigationFromElsewhere(request: Pick<CheckedRequest, 'headers' | 'method'>): boolean {
  return isFromElsewhere(request.headers) && isTopLevelNavigation(request)
}

function isAgent(request: CheckedRequest, agentToken: string): boolean {
  if (request.kind !== 'upgrade' || !isLoopbackAddress(request.remoteAddress)) return false
  if (!pathnameOf(request.path).startsWith('/ws/device/')) return false
  const given = /^Bearer ([0-9a-f]{64})$/.exec(request.headers.authorization ?? '')?.[1]
  return given !== undefined && isSameToken(given, agentToken)
}

function isPublic({ method, path }: CheckedRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const pathname = pathnameOf(path)
  // Encoded or dotted paths could name something else once decoded.
  if (/%|\\|\/\/|\/\.\.?(\/|$)/.test(pathname)) return false
  if (pathname === '/enter' || /^\/enter\/[^/]+$/.test(pathname)) return true
  return pathname.startsWith('/_next/static/') || pathname === '/favicon.ico' || pathname === '/icon.svg'
}

function pathnameOf(path: string): string {
  return path.split(/[?#]/, 1)[0] ?? ''
}
