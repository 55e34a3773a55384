/** `mm:ss`, or `h:mm:ss` from an hour on; a negative span is shown as zero. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  const hours = Math.floor(seconds / 3_600)
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':')
}

/** A short span as people read it: `38 ms`, `1.2 s`, `41 s`. */
export function formatSpan(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.round(ms / 1_000)} s`
}

/** Micro-dollars as dollars with four decimals. */
export function formatCost(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(4)}`
}
