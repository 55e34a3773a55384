import type { Database, Transaction } from '@/db/client'
import type { Clock } from '../clock'
import { TaplineError } from '../errors'
import type { SignedInPerson } from './contract'
import { sessionLifeMs } from './session-cookie'
import { addSession, personName, takeLink } from './store'
import { hashToken, newToken } from './token'

/** Trades a link's token for a session. Throws `gone` when the link is unknown, used or expired. */
export async function redeemLink(
  db: Database | Transaction,
  input: { token: string; clock: Clock },
): Promise<{ sessionToken: string; person: SignedInPerson }> {
  const now = input.clock()
  const sessionToken = newToken()
  return db.transaction(async (tx) => {
    const link = await takeLink(tx, hashToken(input.token), now)
    if (link === null)
      throw new TaplineError('gone', 'This link was used or has expired: run `npm run link` for a new one.')
    await addSession(tx, {
      tokenHash: hashToken(sessionToken),
      ...link,
      createdAt: now,
      expiresAt: now + sessionLifeMs,
    })
    return { sessionToken, person: { id: link.personId, name: await personName(tx, link.personId), role: link.role } }
  })
}
