export const sessionLifeMs = 30 * 24 * 3_600_000

/** The cookie's name carries the instance, because cookies ignore ports; with TLS it is bound to the host as well. */
export function sessionCookieName(instanceId: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}tapline_${instanceId}`
}

/** The value of a `Set-Cookie` header. */
export function sessionCookie(instanceId: string, sessionToken: string, isSecure: boolean): string {
  const name = sessionCookieName(instanceId, isSecure)
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${sessionToken}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${sessionLifeMs / 1000}${secure}`
}

/** The session tokens in a `Cookie` header, at most two: one set over TLS, one without. */
export function sessionTokensOf(cookieHeader: string | null | undefined, instanceId: string): string[] {
  const names = new Set([sessionCookieName(instanceId, true), sessionCookieName(instanceId, false)])
  const tokens: string[] = []
  for (const part of (cookieHeader ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2)
    if (name !== undefined && value !== undefined && names.delete(name) && /^[\w-]{43}$/.test(value)) tokens.push(value)
  }
  return tokens
}
