/**
 * Aborts when this process is asked to stop: SIGTERM, SIGINT, or, for a child of the supervisor, when that is gone.
 * Call it once, early; the process then has 5 s before the supervisor kills it.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = (reason: string) => controller.abort(new Error(`stopped by ${reason}`))
  process.once('SIGTERM', () => stop('SIGTERM'))
  process.once('SIGINT', () => stop('SIGINT'))
  return controller.signal
}
