import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { people, sessions, signInLinks } from '@/db/schema/people'
import type { Role, SignedInPerson } from './contract'

/** The id of the person of that name, who is made when new. */
export async function findOrAddPerson(
  tx: Database | Transaction,
  person: { id: string; name: string; createdAt: number },
): Promise<string> {
  const [row] = await tx
    .insert(people)
    .values(person)
    // Sets what is there already, so that the row is returned (and locked) in either case.
    .onConflictDoUpdate({ target: people.name, set: { name: person.name } })
    .returning({ id: people.id })
  if (!row) throw new Error('insert returned no row')
  return row.id
}

export async function addLink(
  tx: Database | Transaction,
  link: { tokenHash: string; personId: string; role: Role; expiresAt: number },
): Promise<void> {
  await tx.insert(signInLinks).values(link)
}

/** Marks a link used; null unless it was there, unused and not yet expired. Of concurrent callers one gets it. */
export async function takeLink(
  tx: Database | Transaction,
  tokenHash: string,
  now: number,
): Promise<{ personId: string; role: Role } | null> {
  const [row] = await tx
    .update(signInLinks)
    .set({ usedAt: now })
    .where(and(eq(signInLinks.tokenHash, tokenHash), isNull(signInLinks.usedAt), gt(signInLinks.expiresAt, now)))
    .returning({ personId: signInLinks.personId, role: signInLinks.role })
  return row ?? null
}

export async function addSession(
  tx: Database | Transaction,
  session: { tokenHash: string; personId: string; role: Role; createdAt: number; expiresAt: number },
): Promise<void> {
  await tx.insert(sessions).values(session)
}

export async function findSession(
  db: Database | Transaction,
  tokenHash: string,
  now: number,
): Promise<SignedInPerson | null> {
  const [row] = await db
    .select({ id: people.id, name: people.name, role: sessions.role })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)))
  return row ?? null
}

export async function personName(tx: Database | Transaction, personId: string): Promise<string> {
  const [row] = await tx.select({ name: people.name }).from(people).where(eq(people.id, personId))
  if (!row) throw new Error('a link belongs to a person who is gone')
  return row.name
}

export async function deleteExpired(tx: Database | Transaction, now: number): Promise<void> {
  await tx.delete(signInLinks).where(lt(signInLinks.expiresAt, now))
  await tx.delete(sessions).where(lt(sessions.expiresAt, now))
}
