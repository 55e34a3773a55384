import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { TaplineError } from '../errors'

/** The user Postgres runs as: null is whoever runs us. Postgres refuses to run as root. */
export type Owner = { uid: number; gid: number } | null

/** For root the system user `postgres`, which is made when the machine has none; otherwise null. */
export function takeOwner(): Owner {
  if (process.getuid?.() !== 0) return null
  const existing = findUser('postgres')
  if (existing) return existing
  const added = spawnSync('useradd', [
    '--system',
    '--no-create-home',
    '--user-group',
    '--shell',
    '/bin/false',
    'postgres',
  ])
  const made = findUser('postgres')
  if (made) return made
  const why = added.error?.message ?? added.stderr.toString().trim()
  throw new TaplineError(
    'unavailable',
    `Postgres can't run as root and there is no user "postgres" (useradd: ${why}). Make one, run Tapline as another user, or set DATABASE_URL.`,
  )
}

function findUser(name: string): Owner {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null
}

/** Whether the owner can enter and write a folder, by trying. */
export function canUseFolder(folder: string, owner: Owner): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$0" && test -w .', folder], { cwd: '/', ...owner })
  return probe.status === 0
}
