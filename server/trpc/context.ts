import { authenticate } from '@/server/platform/people/authenticate'
import type { RequestContext } from '@/server/platform/procedure'
import type { Services } from '@/server/platform/services'

/** The context of one request: who asks, by the session in its cookie, and what the process shares. */
export async function createContext(services: Services, cookieHeader: string | null): Promise<RequestContext> {
  const { db, databaseUrl, clock, listener, blobs, log, environment, instanceId } = services
  const person = await authenticate(db, cookieHeader, instanceId, clock)
  return { person, db, databaseUrl, clock, listener, blobs, log, environment }
}
