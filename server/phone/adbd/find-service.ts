import type { ShellDevice } from '@/server/phone/shell/shell-device'
import type { AbstractSockets } from './abstract-sockets'
import { serveReverse } from './reverse-service'
import type { Service } from './service-stream'
import { parseShellRequest, serveShell } from './shell-service'
import { serveSync } from './sync-service'

/** The service behind the name of an OPEN; null when the phone has none, and the stream is refused. */
export function findService(name: string, phone: { device: ShellDevice; sockets: AbstractSockets }): Service | null {
  const { device, sockets } = phone
  if (name === 'sync:') return (stream) => serveSync(stream, device.files)
  const shell = parseShellRequest(name)
  if (shell !== null) return (stream) => serveShell(shell, stream, device)
  const [, scheme, rest] = /^(reverse|localabstract):(.*)$/s.exec(name) ?? []
  if (scheme === 'reverse') return (stream) => serveReverse(rest ?? '', stream)
  return scheme === 'localabstract' ? sockets.find(rest ?? '') : null
}
