import { isIP, isIPv4 } from 'node:net'

/** Whether a host name or address (no port; IPv6 with or without brackets) can only mean this machine. */
export function isLoopbackHost(name: string): boolean {
  const bare = name.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (bare === 'localhost' || bare === '::1') return true
  return isIPv4(bare) && bare.startsWith('127.')
}

/** Whether a socket's remote address is this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false
  const bare = address.toLowerCase().replace(/^::ffff:/, '')
  return isIP(bare) !== 0 && isLoopbackHost(bare)
}

export type ParsedHost = { name: string; port: number | null }

/** Splits a `Host` header; null when it is anything but a plain name or address with an optional port. */
export function parseHost(header: string): ParsedHost | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?$/i.exec(header)
  if (!match?.[1]) return null
  const name = match[1].toLowerCase()
  if (name.startsWith('[') && isIP(name.slice(1, -1)) !== 6) return null
  return { name, port: match[2] === undefined ? null : Number(match[2]) }
}

/**
 * Whether the server answers to this `Host`: a loopback name or the address it was bound to, at one of its own ports,
 * or a configured public host. A configured name without a port also stands for that name at our own ports.
 */
export function isOwnHost(
  header: string,
  own: { host: string; ports: readonly number[]; publicHosts: readonly string[] },
): boolean {
  const parsed = parseHost(header)
  if (!parsed) return false
  const atOwnPort = own.ports.includes(parsed.port ?? 80)
  if (isLoopbackHost(parsed.name) && atOwnPort) return true
  const bound = isIP(own.host) === 6 ? `[${own.host}]` : own.host.toLowerCase()
  if (bound !== '0.0.0.0' && bound !== '[::]' && parsed.name === bound && atOwnPort) return true
  if (own.publicHosts.includes(header.toLowerCase())) return true
  return own.publicHosts.includes(parsed.name) && (parsed.port === null || atOwnPort)
}
