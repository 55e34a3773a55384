import type { Adb, AdbSocket } from '@yume-chan/adb'
import { delay, raceAbort } from '../race-abort'

const retryMs = 50

export type OpenedStream = {
  socket: AdbSocket
  reader: ReturnType<AdbSocket['readable']['getReader']>
  first: Uint8Array
}

/**
 * Connects to scrcpy's first socket on the device. Its server needs a moment to listen, and an adb that forwards can
 * accept before it does: only the first byte shows that someone is there. Tries until `signal` aborts.
 */
export async function openFirstStream(adb: Adb, service: string, signal: AbortSignal): Promise<OpenedStream> {
  for (;;) {
    signal.throwIfAborted()
    const opened = await tryOpen(adb, service, signal)
    if (opened !== null) return opened
    await delay(retryMs, signal)
  }
}

async function tryOpen(adb: Adb, service: string, signal: AbortSignal): Promise<OpenedStream | null> {
  let socket: AdbSocket
  try {
    // Tango leaves an open call hanging when the connection is lost.
    socket = await raceAbort(adb.createSocket(service), signal)
  } catch {
    return null
  }
  const reader = socket.readable.getReader()
  const abort = () => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const { done, value } = await reader.read()
    if (!done && value.length > 0) return { socket, reader, first: value }
  } catch {
    // Closed before it said anything: as if refused.
  } finally {
    signal.removeEventListener('abort', abort)
  }
  await socket.close()
  return null
}
