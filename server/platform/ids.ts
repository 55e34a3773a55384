import { v7 } from 'uuid'

/** A UUIDv7: ids made later sort later, also within one millisecond of one process. */
export function newId(): string {
  return v7()
}
