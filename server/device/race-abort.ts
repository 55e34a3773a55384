/**
 * Settles like `promise`, or rejects with the signal's reason when that aborts first. Whoever calls owns what the
 * promise would have brought.
 */
export function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Waits; rejects with the signal's reason when that aborts first. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await raceAbort(waited, signal)
  } finally {
    clearTimeout(timer)
  }
}
