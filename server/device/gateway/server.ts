import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AnyTRPCRouter } from '@trpc/server'
import { applyWSSHandler } from '@trpc/server/adapters/ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Clock } from '@/server/platform/clock'
import { newId } from '@/server/platform/ids'
import type { Logger } from '@/server/platform/log'
import { type CheckContext, checkRequest, type RequestVerdict } from '@/server/platform/people/check-request'
import { hasRole } from '@/server/platform/people/contract'
import type { RequestContext } from '@/server/platform/procedure'
import { refuseUpgrade } from '@/server/platform/web/pipe-upgrade'
import type { DeviceRegistry, RegisteredDevice } from './device-registry'
import type { LeaseParty } from './lease'
import { serveClient } from './serve-client'

const mostBytesFromClient = 65_536
const goingAway = 1001

type Accepted = Extract<RequestVerdict, { ok: true }>

export type GatewayOptions = {
  registry: DeviceRegistry
  check: CheckContext
  trpc: {
    router: AnyTRPCRouter
    createContext(request: IncomingMessage): Promise<RequestContext>
  }
  clock: Clock
  log: Logger
}

export type RunningGateway = { port: number; close(): Promise<void> }

const agentQuery = z.object({ episode: z.uuid(), name: z.string().trim().min(1).max(200) })

/**
 * Serves devices at `/ws/device/<id>`, subscriptions at `/ws/trpc` and `/healthz`. Nothing comes in that the one check
 * of requests refuses; a refused upgrade gets a proper HTTP answer.
 */
export async function startGateway(
  address: { host: string; port: number },
  options: GatewayOptions,
): Promise<RunningGateway> {
  const { registry, log } = options
  const deviceSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: mostBytesFromClient,
  })
  const trpcSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: mostBytesFromClient })
  const trpc = applyWSSHandler({
    wss: trpcSockets,
    router: options.trpc.router,
    createContext: ({ req }) => options.trpc.createContext(req),
    keepAlive: { enabled: true, pingMs: 15_000, pongWaitMs: 5_000 },
  })

  const check = (request: IncomingMessage, kind: 'request' | 'upgrade') =>
    checkRequest(
      {
        method: request.method ?? '',
        headers: request.headers,
        remoteAddress: request.socket.remoteAddress,
        kind,
        path: request.url ?? '/',
      },
      options.check,
    )

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const verdict = await check(request, 'request')
    const isHealth = pathOf(request) === '/healthz' && (request.method === 'GET' || request.method === 'HEAD')
    // A supervisor has no session; who asks with our own name from our own origin may know that we live.
    if (isHealth && (verdict.ok || verdict.status === 401)) {
      return sendJson(response, 200, { ok: true, ...(verdict.ok ? { devices: registry.count() } : {}) })
    }
    if (!verdict.ok) return sendJson(response, verdict.status, { error: verdict.message })
    return sendJson(response, 404, { error: 'There is nothing here.' })
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const verdict = await check(request, 'upgrade')
    if (!verdict.ok) return refuseUpgrade(socket, verdict.status, verdict.message)
    const path = pathOf(request)
    if (path === '/ws/trpc' && verdict.person !== null) {
      return trpcSockets.handleUpgrade(request, socket, head, (client) =>
        trpcSockets.emit('connection', client, request),
      )
    }
    const deviceId = /^\/ws\/device\/([^/]+)$/.exec(path)?.[1]
    if (deviceId === undefined) return refuseUpgrade(socket, 404, 'There is no WebSocket here.')
    if (!z.uuid().safeParse(deviceId).success) return refuseUpgrade(socket, 400, 'That is not the id of a device.')
    const registered = registry.find(deviceId)
    if (registered === null) return refuseUpgrade(socket, 404, 'This gateway has no such device.')
    const party = partyOf(verdict, request)
    if (party === null)
      return refuseUpgrade(socket, 400, 'An agent says its episode and name: ?episode=<uuid>&name=<text>.')
    deviceSockets.handleUpgrade(request, socket, head, (client) => serve(client, registered, party, verdict))
  }

  const serve = (client: WebSocket, { device, session }: RegisteredDevice, party: LeaseParty, verdict: Accepted) => {
    const mayDrive = verdict.person === null || hasRole(verdict.person.role, 'operator')
    serveClient(client, {
      device,
      session,
      party,
      mayDrive,
      clock: options.clock,
      log: log.child({ deviceId: device.id }),
    })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'request failed')
      if (!response.headersSent) sendJson(response, 500, { error: 'Something went wrong.' })
    })
  })
  server.on('upgrade', (request, socket: Duplex, head) => {
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'upgrade failed')
      refuseUpgrade(socket, 500, 'Something went wrong.')
    })
  })
  await listen(server, address)
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      trpc.broadcastReconnectNotification()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const client of [...deviceSockets.clients, ...trpcSockets.clients]) {
        client.close(goingAway, 'the gateway stops')
        // What does not answer in half a second is cut off.
        setTimeout(() => client.terminate(), 500).unref()
      }
      server.closeAllConnections()
      await closed
    },
  }
}

function partyOf(verdict: Accepted, request: IncomingMessage): LeaseParty | null {
  const connectionId = newId()
  if (verdict.person !== null) return { connectionId, kind: 'human', id: verdict.person.id, name: verdict.person.name }
  if (!verdict.isAgent) return null
  const query = new URLSearchParams(request.url?.split('?', 2)[1] ?? '')
  const parsed = agentQuery.safeParse(Object.fromEntries(query))
  return parsed.success ? { connectionId, kind: 'agent', id: parsed.data.episode, name: parsed.data.name } : null
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split(/[?#]/, 1)[0] ?? '/'
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(JSON.stringify(body))
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
