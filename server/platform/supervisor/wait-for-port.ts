import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves true when something accepts connections at the port, false when the signal aborts before that. */
export async function waitForPort(port: number, host: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await accepts(port, host)) return true
    await delay(40)
  }
  return false
}

function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 })
    const done = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('timeout', () => done(false))
  })
}
