import type { StateChange } from '@/server/tool/contract'

type Members = Record<string, unknown>

/**
 * What changed between two JSON values, outermost difference first: a member that appeared or went is one change with
 * its whole value. Paths read like `messages.threads[lin-yue].unread`: members of a list whose items all have a
 * different `id` are matched by it, other lists by index; a key that is not a plain word stands in brackets. When only the
 * order of a list with ids changed, the one change is of its `order`. Empty exactly when the values are equal as JSON.
 */
export function diffState(before: unknown, after: unknown): StateChange[] {
  const changes: StateChange[] = []
  compare('', before, after, changes)
  return changes
}

function compare(path: string, before: unknown, after: unknown, changes: StateChange[]): void {
  if (before === after) return
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(path, before, after, changes)
  } else if (isMembers(before) && isMembers(after)) {
    compareMembers(path, before, after, changes, keyPath)
  } else {
    changes.push({ op: 'replace', path, before, after })
  }
}

function compareMembers(
  path: string,
  before: Members,
  after: Members,
  changes: StateChange[],
  childPath: (path: string, key: string) => string,
): void {
  for (const key of Object.keys(before)) {
    if (Object.hasOwn(after, key)) compare(childPath(path, key), before[key], after[key], changes)
    else changes.push({ op: 'remove', path: childPath(path, key), before: before[key] })
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ op: 'add', path: childPath(path, key), after: after[key] })
  }
}

function compareLists(path: string, before: unknown[], after: unknown[], changes: StateChange[]): void {
  const beforeIds = idsOf(before)
  const afterIds = idsOf(after)
  if (beforeIds === null || afterIds === null) {
    const members = (list: unknown[]) => Object.fromEntries(list.map((item, index) => [String(index), item]))
    compareMembers(path, members(before), members(after), changes, bracketPath)
    return
  }
  const found = changes.length
  const byId = (ids: string[], list: unknown[]) => new Map(ids.map((id, index) => [id, list[index]]))
  const beforeById = byId(beforeIds, before)
  const afterById = byId(afterIds, after)
  for (const [id, item] of beforeById) {
    if (afterById.has(id)) compare(bracketPath(path, id), item, afterById.get(id), changes)
    else changes.push({ op: 'remove', path: bracketPath(path, id), before: item })
  }
  for (const [id, item] of afterById) {
    if (!beforeById.has(id)) changes.push({ op: 'add', path: bracketPath(path, id), after: item })
  }
  const isReordered = changes.length === found && beforeIds.some((id, index) => id !== afterIds[index])
  if (isReordered) changes.push({ op: 'replace', path: keyPath(path, 'order'), before: beforeIds, after: afterIds })
}

/** The ids of a list whose members all are objects with an id of their own; null for any other list. */
function idsOf(list: unknown[]): string[] | null {
  const ids: string[] = []
  for (const item of list) {
    if (!isMembers(item) || typeof item.id !== 'string') return null
    ids.push(item.id)
  }
  return new Set(ids).size === ids.length ? ids : null
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function keyPath(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return bracketPath(path, key)
  return path === '' ? key : `${path}.${key}`
}

function bracketPath(path: string, key: string): string {
  return `${path}[${key}]`
}
