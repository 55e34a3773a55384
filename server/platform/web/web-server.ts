import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { checkRequest, isNavigationFromElsewhere } from '../people/check-request'
import { handleEnter } from '../people/http'
import type { Services } from '../services'
import { pipeUpgrade, refuseUpgrade } from './pipe-upgrade'
import { signInPage } from './plain-page'
import { preparePage, removeForgedHeaders, sendPlain } from './security-headers'

export type WebServerOptions = {
  services: Pick<Services, 'db' | 'environment' | 'instanceId' | 'clock' | 'agentToken' | 'log'>
  isDevelopment: boolean
  /** Renders whatever has passed the check. */
  handlePage(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Takes upgrades that are not for the gateway (Next's hot reload); false when it wants none. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
}
export type WebServer = { server: Server; close(): Promise<void> }

/** The door: every request and upgrade is checked here before anything else sees it. It does not listen yet. */
export function createWebServer(options: WebServerOptions): WebServer {
  const { services, isDevelopment } = options
  const { log, environment } = services
  const tunnels = new Set<Duplex>()

  const check = (request: IncomingMessage, kind: 'request' | 'upgrade') =>
    checkRequest(
      {
        method: request.method ?? '',
        headers: request.headers,
        remoteAddress: request.socket.remoteAddress,
        kind,
        path: request.url ?? '/',
      },
      services,
    )

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    removeForgedHeaders(request)
    const verdict = await check(request, 'request')
    if (verdict.ok) {
      if (await handleEnter(request, response, services)) return
      preparePage(request, response, isDevelopment)
      await options.handlePage(request, response)
      return
    }
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (verdict.status === 401 && wantsPage) {
      const isFromElsewhere = isNavigationFromElsewhere({ headers: request.headers, method: 'GET' })
      const body = signInPage(isFromElsewhere ? ownPath(request.url) : null)
      sendPlain(response, { status: 401, type: 'html', body })
      return
    }
    sendPlain(response, { status: verdict.status, type: 'plain', body: `${verdict.message}\n` })
  }

  const onUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    removeForgedHeaders(request)
    const verdict = await check(request, 'upgrade')
    if (!verdict.ok) {
      refuseUpgrade(socket, verdict.status, verdict.message)
      return
    }
    if ((request.url ?? '').startsWith('/ws/')) {
      const upstream = pipeUpgrade(request, socket, head, { port: environment.gatewayPort })
      tunnels.add(upstream)
      upstream.once('close', () => tunnels.delete(upstream))
      return
    }
    if (!options.handleUpgrade(request, socket, head))
      refuseUpgrade(socket, 404, 'There is nothing to upgrade to here.')
  }

  const server = createServer((request, response) => {
    onRequest(request, response).catch((error: unknown) => {
      log.error({ err: error, method: request.method, path: request.url }, 'request failed')
      if (response.headersSent) response.destroy()
      else sendPlain(response, { status: 500, type: 'plain', body: 'Something went wrong; the log says what.\n' })
    })
  })
  server.on('upgrade', (request, socket, head) => {
    // A client that hangs up while it is being checked is no error of ours.
    socket.on('error', () => undefined)
    onUpgrade(request, socket, head).catch((error: unknown) => {
      log.error({ err: error, path: request.url }, 'upgrade failed')
      refuseUpgrade(socket, 500, 'Something went wrong; the log says what.')
    })
  })

  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const tunnel of tunnels) tunnel.destroy()
      }),
  }
}

/** A request target that is safe as a link: a path on this server and nothing else. */
function ownPath(target: string | undefined): string {
  return target !== undefined && /^\/(?![/\\])/.test(target) ? target : '/'
}
