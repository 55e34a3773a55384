import { z } from 'zod'

/** From least to most: each role may do all that the ones before it may. */
export const roles = ['viewer', 'annotator', 'operator', 'admin'] as const
export const role = z.enum(roles)
export type Role = z.infer<typeof role>

/** Whether `held` includes what `needed` allows. */
export function hasRole(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed)
}

/** Someone signed in, in the role their session was opened with. */
export type SignedInPerson = { id: string; name: string; role: Role }
