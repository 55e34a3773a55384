/** Someone connected to a device who may drive it. A connection id is unique; a person or agent may have several. */
export type LeaseParty = {
  connectionId: string
  kind: 'human' | 'agent'
  /** Person id of a human, episode id of an agent. */
  id: string
  name: string
}

/** The right to touch a device, held by one connection until `expiresAt` (epoch ms) unless renewed. */
export type Lease = LeaseParty & { expiresAt: number }
export type LeaseState = Lease | null

export const leaseDurationMs = 15_000

export type LeaseLoss = 'released' | 'expired' | 'preempted' | 'disconnected'

export type LeaseEvent =
  | { type: 'taken'; lease: Lease }
  | { type: 'renewed'; lease: Lease }
  | { type: 'lost'; lease: Lease; reason: LeaseLoss }

export type LeaseChange = { state: LeaseState; granted: boolean; events: LeaseEvent[] }

/**
 * Asks for the lease. It is granted when it is free or has run out, when the connection has it already (then it is
 * renewed), or, with `preempt`, to a human: from an agent, or from the same human's other connection. Nobody takes it
 * from another human: of two who take over at once, the first wins.
 */
export function takeLease(
  state: LeaseState,
  party: LeaseParty,
  { now, preempt }: { now: number; preempt: boolean },
): LeaseChange {
  const expired = expireLease(state, now)
  const held = expired.state
  if (held?.connectionId === party.connectionId) return renewLease(held, party.connectionId, now)
  if (held !== null && !(preempt && mayPreempt(party, held))) return { ...expired, granted: false }
  const lease = { ...party, expiresAt: now + leaseDurationMs }
  const lost: LeaseEvent[] = held === null ? expired.events : [{ type: 'lost', lease: held, reason: 'preempted' }]
  return { state: lease, granted: true, events: [...lost, { type: 'taken', lease }] }
}

/** Extends the lease of the connection that holds it. */
export function renewLease(state: LeaseState, connectionId: string, now: number): LeaseChange {
  const expired = expireLease(state, now)
  if (expired.state?.connectionId !== connectionId) return { ...expired, granted: false }
  const lease = { ...expired.state, expiresAt: now + leaseDurationMs }
  return { state: lease, granted: true, events: [{ type: 'renewed', lease }] }
}

/** Gives up the lease of the connection that holds it; of any other connection nothing changes. */
export function releaseLease(
  state: LeaseState,
  connectionId: string,
  reason: 'released' | 'disconnected',
): LeaseChange {
  if (state?.connectionId !== connectionId) return { state, granted: false, events: [] }
  return { state: null, granted: true, events: [{ type: 'lost', lease: state, reason }] }
}

/** Drops a lease whose time is over. `granted` says whether anyone holds it afterwards. */
export function expireLease(state: LeaseState, now: number): LeaseChange {
  if (state === null || state.expiresAt > now) return { state, granted: state !== null, events: [] }
  return { state: null, granted: false, events: [{ type: 'lost', lease: state, reason: 'expired' }] }
}

/** Whether this connection may touch the device at this moment. */
export function holdsLease(state: LeaseState, connectionId: string, now: number): boolean {
  return state !== null && state.connectionId === connectionId && state.expiresAt > now
}

function mayPreempt(party: LeaseParty, held: Lease): boolean {
  return party.kind === 'human' && (held.kind === 'agent' || held.id === party.id)
}
