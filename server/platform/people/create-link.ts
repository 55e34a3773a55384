import { z } from 'zod'
import type { Database, Transaction } from '@/db/client'
import type { Clock } from '../clock'
import { TaplineError } from '../errors'
import { newId } from '../ids'
import { type Role, role as roleSchema } from './contract'
import { addLink, deleteExpired, findOrAddPerson } from './store'
import { hashToken, newToken } from './token'

const linkLifeMs = 10 * 60_000
const personNameSchema = z
  .string()
  .transform((name) => name.trim().normalize('NFC'))
  .pipe(
    z
      .string()
      .min(1, 'is empty')
      .max(80, 'is longer than 80 characters')
      .regex(/^[^\p{C}]*$/u, 'has control characters'),
  )

/** Makes a single-use sign-in link for a name and a role; it lives 10 minutes. The same name is the same person. */
export async function createLink(
  db: Database | Transaction,
  input: { name: string; role: Role; clock: Clock },
): Promise<{ token: string; personId: string }> {
  const name = personNameSchema.safeParse(input.name)
  if (!name.success) throw new TaplineError('bad-input', `The name ${name.error.issues[0]?.message ?? 'is not valid'}.`)
  const role = roleSchema.safeParse(input.role)
  if (!role.success) throw new TaplineError('bad-input', `The role is one of ${roleSchema.options.join(', ')}.`)
  const now = input.clock()
  const token = newToken()
  const personId = await db.transaction(async (tx) => {
    await deleteExpired(tx, now)
    const id = await findOrAddPerson(tx, { id: newId(), name: name.data, createdAt: now })
    await addLink(tx, { tokenHash: hashToken(token), personId: id, role: role.data, expiresAt: now + linkLifeMs })
    return id
  })
  return { token, personId }
}
