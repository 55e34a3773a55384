/**
 * The JSON value without what jsonb refuses: NUL characters are removed and lone surrogates become U+FFFD, in strings
 * and in keys. `undefined` members are left out, as JSON.stringify does.
 */
export function toStorableJson(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map(toStorableJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [toStorableText(key), toStorableJson(member)]),
  )
}

/** Text without NUL, lone surrogates replaced by U+FFFD. */
export function toStorableText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd')
}
