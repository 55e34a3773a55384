const graceMs = 4_000

/**
 * Ties this process to the supervisor that started it: when that is killed, its end of the channel closes, and this
 * process gets the same SIGTERM as in a clean stop, and is gone within 4 s. Without a supervisor it does nothing.
 */
export function exitWithParent(): void {
  if (!process.connected) return
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.exit(1), graceMs).unref()
  })
  // The channel alone must not keep a process that has finished.
  process.channel?.unref()
}
