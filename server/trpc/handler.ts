import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { serveArtefact } from '@/server/trajectory/http'
import { appRouter } from './app-router'
import { createContext } from './context'
import { webServices } from './web-services'

const maxBodyBytes = 1_000_000

/** Answers tRPC queries and mutations over HTTP; what is followed comes over the gateway's WebSocket. */
export async function handleTrpc(request: Request): Promise<Response> {
  const declared = Number(request.headers.get('content-length') ?? (request.method === 'GET' ? 0 : Number.NaN))
  if (!(declared <= maxBodyBytes)) {
    return new Response(`The request is larger than ${maxBodyBytes} bytes or does not say how large it is.`, {
      status: 413,
    })
  }
  // A form of another site can send text/plain without asking first; nothing of ours does.
  if (request.method === 'POST' && !(request.headers.get('content-type') ?? '').startsWith('application/json')) {
    return new Response('Commands are sent as application/json.', { status: 415 })
  }
  const services = await webServices()
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => createContext(services, request.headers.get('cookie')),
    maxBatchSize: 10,
  })
}

/** An artefact for somebody signed in: the web server has checked the session, this checks it again. */
export async function artefactResponse(request: Request): Promise<Response> {
  const services = await webServices()
  const { person } = await createContext(services, request.headers.get('cookie'))
  if (person === null) return new Response('Sign in first.', { status: 401 })
  return serveArtefact(request, services)
}
