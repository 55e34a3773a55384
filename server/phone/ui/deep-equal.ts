/** Whether two values of plain data (as JSON has it) are the same; a missing member equals an undefined one. */
export function deepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    for (let index = 0; index < one.length; index++) if (!deepEqual(one[index], other[index])) return false
    return true
  }
  const left = one as Record<string, unknown>
  const right = other as Record<string, unknown>
  for (const key in left) if (!deepEqual(left[key], right[key])) return false
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false
  return true
}
