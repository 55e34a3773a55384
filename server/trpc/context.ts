import { authenticate } from '@/server/platform/people/authenticate'
import type { RequestContext } from '@/server/platform/procedure'
import type { Runtime } from './runtime'

/** The context of one request: who asks, by the session in its cookie, and what the process shares. */
export async function createContext(runtime: Runtime, cookieHeader: string | null): Promise<RequestContext> {
  const person = await authenticate(runtime.db, cookieHeader, runtime.instanceId, runtime.clock)
  return { ...runtime, person }
}
