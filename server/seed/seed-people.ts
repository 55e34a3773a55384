import type { Database } from '@/db/client'
import type { Clock } from '@/server/platform/clock'
import { type Role, roles, type SignedInPerson } from '@/server/platform/people/contract'
import { createLink } from '@/server/platform/people/create-link'
import { redeemLink } from '@/server/platform/people/redeem-link'

const names: Record<Role, string> = {
  viewer: 'Vera Viewer',
  annotator: 'Anna Annotator',
  operator: 'Otto Operator',
  admin: 'Ada Admin',
}

/** One person of each role, with a fresh sign-in link each; as often as it is run, the people stay the same four. */
export async function seedPeople(db: Database, clock: Clock): Promise<{ name: string; role: Role; token: string }[]> {
  const seeded: { name: string; role: Role; token: string }[] = []
  for (const role of roles) {
    const { token } = await createLink(db, { name: names[role], role, clock })
    seeded.push({ name: names[role], role, token })
  }
  return seeded
}

/** Someone who is signed in, for tests: the person and the value of their session cookie. */
export async function seedSession(
  db: Database,
  input: { role: Role; name?: string; clock: Clock },
): Promise<{ person: SignedInPerson; sessionToken: string }> {
  const { token } = await createLink(db, {
    name: input.name ?? names[input.role],
    role: input.role,
    clock: input.clock,
  })
  return redeemLink(db, { token, clock: input.clock })
}
