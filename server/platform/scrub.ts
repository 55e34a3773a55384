const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[A-Za-z0-9_-]{6,}/g, 'sk-…'],
  [/\b(Bearer|Basic)(\s+)[A-Za-z0-9._~+/=-]+/gi, '$1$2…'],
  [/([?&](?:t|token|key|api_key)=)[^\s"'&#\\]+/gi, '$1…'],
  [/(\/enter\/)[^\s"'?#\\]+/g, '$1…'],
  [/(postgres(?:ql)?:\/\/[^\s:@/"]+:)[^\s@/"]+@/g, '$1…@'],
]

/** The text with API keys, bearer tokens, link tokens and database passwords replaced by an ellipsis. */
export function scrubSecrets(text: string): string {
  return patterns.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
}

const secretField =
  /^(authorization|proxy-authorization|cookie|set-cookie|key|password|secret|.*(token|apikey|api[-_]key|secretkey))$/i
const deepest = 8

/** A copy of a log record in which the values of fields named like secrets are replaced. */
export function redactFields(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Error || value instanceof Date) return value
  if (depth === deepest) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redactFields(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      secretField.test(name) ? '[redacted]' : redactFields(field, depth + 1),
    ]),
  )
}
