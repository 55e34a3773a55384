import { setTimeout as wait } from 'node:timers/promises'

const pollMs = 60
/** A touch that changes nothing shows that only by nothing changing for a while. */
const noticeMs = 360
const longestMs = 3_000

/**
 * Waits until what `read` gives has settled: it differs from `before` and then stays for `stillMs`, or it stays as it was
 * for a third of a second (or `stillMs`, if that is longer). After three seconds something always moves, and it goes on.
 */
export async function settle(
  before: string,
  read: () => Promise<string>,
  options: { signal: AbortSignal; stillMs?: number },
): Promise<void> {
  const { signal, stillMs = 0 } = options
  const startedAt = performance.now()
  let previous = before
  let changedAt: number | null = null
  for (let now = startedAt; now - startedAt < longestMs; now = performance.now()) {
    const current = await read()
    const stillFor = performance.now() - (changedAt ?? startedAt)
    if (current !== previous) changedAt = performance.now()
    else if (stillFor >= (changedAt === null ? Math.max(noticeMs, stillMs) : stillMs)) return
    previous = current
    await wait(pollMs, undefined, { signal })
  }
}
