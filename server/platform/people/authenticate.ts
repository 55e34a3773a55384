import type { Database } from '@/db/client'
import type { Clock } from '../clock'
import type { SignedInPerson } from './contract'
import { sessionTokensOf } from './session-cookie'
import { findSession } from './store'
import { hashToken } from './token'

/** The person whose session a `Cookie` header carries, or null. */
export async function authenticate(
  db: Database,
  cookieHeader: string | null | undefined,
  instanceId: string,
  clock: Clock,
): Promise<SignedInPerson | null> {
  for (const token of sessionTokensOf(cookieHeader, instanceId)) {
    const person = await findSession(db, hashToken(token), clock())
    if (person !== null) return person
  }
  return null
}
