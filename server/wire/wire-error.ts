/** Bytes or values that break a protocol. The sentence names the field and what was found there. */
export class WireError extends Error {
  override readonly name = 'WireError'
}
