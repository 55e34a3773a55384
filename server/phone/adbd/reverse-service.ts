import type { ServiceStream } from './service-stream'

/**
 * `reverse:COMMAND` as on a phone that lists no reverse connections and can't make any. Success of a removal is a bare
 * OKAY; a list has 4 hexadecimal digits of length and no OKAY; a failure is FAIL, length and text (AOSP `adb_listeners`).
 */
export async function serveReverse(command: string, stream: ServiceStream): Promise<void> {
  await stream.write(Buffer.from(answerOf(command), 'utf8'))
}

function answerOf(command: string): string {
  if (command === 'list-forward') return withLength('')
  if (command === 'killforward-all') return 'OKAY'
  const [, listener] = /^killforward:(.*)$/s.exec(command) ?? []
  if (listener !== undefined) return `FAIL${withLength(`listener '${listener.slice(0, 200)}' not found`)}`
  // The answer of Android before 9 over TCP: hosts know it, and take a forward connection instead.
  if (command.startsWith('forward:')) return `FAIL${withLength('more than one device/emulator')}`
  return `FAIL${withLength('unknown reverse command')}`
}

function withLength(text: string): string {
  return Buffer.byteLength(text).toString(16).padStart(4, '0') + text
}
