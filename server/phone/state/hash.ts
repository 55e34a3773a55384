import { createHash } from 'node:crypto'
import type { PhoneState } from './phone-state'

/**
 * One text for one JSON value: object keys sorted by UTF-16 units, no spaces, members that are `undefined` left out
 * (RFC 8785 for the values a phone's state holds).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** SHA-256 of the canonical JSON, hex. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** `dataHash` covers `data` only, `stateHash` everything. */
export function stateHashes(state: PhoneState): { dataHash: string; stateHash: string } {
  return { dataHash: hashOf(state.data), stateHash: hashOf(state) }
}
