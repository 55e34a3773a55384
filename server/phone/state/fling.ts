import type { Pointer } from './phone-state'

/** A scroll container that glides on after the finger left. `position` is its offset before rounding. */
export type Fling = { scrollId: string; position: number; velocity: number }

/** Only what the finger did in the last 100 ms counts. */
const trackMs = 100
const slowest = 0.3
const fastest = 6
const restVelocity = 0.04
/** A tick divides the velocity by 1 + ms / slowingMs. */
const slowingMs = 240

/** The finger's recent places with this one, times in ms. */
export function trackFinger(track: Pointer['track'], y: number, at: number): Pointer['track'] {
  return [...track.filter((place) => at - place.at <= trackMs && place.at !== at), { y, at }]
}

/** How fast the finger moved down when it left, in pixels per ms; 0 when too slow to glide. */
export function releaseVelocity(track: Pointer['track']): number {
  const first = track[0]
  const last = track.at(-1)
  if (first === undefined || last === undefined || last.at <= first.at) return 0
  const velocity = (last.y - first.y) / (last.at - first.at)
  return Math.abs(velocity) < slowest ? 0 : Math.min(Math.max(velocity, -fastest), fastest)
}

/**
 * Where the container is after `ms`; null when it came to rest. Plain arithmetic on purpose: `Math.exp` may differ in its
 * last bit from one machine to another, and a replay may not.
 */
export function glide(fling: Fling, ms: number): { position: number; next: Fling | null } {
  const velocity = (fling.velocity * slowingMs) / (slowingMs + ms)
  const position = fling.position + ((fling.velocity + velocity) / 2) * Math.min(ms, slowingMs)
  return { position, next: Math.abs(velocity) < restVelocity ? null : { ...fling, position, velocity } }
}
