import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const systemFolder = '/var/lib/tapline/'
const placementSchema = z.object({ folder: z.string() })

/**
 * Clones this working copy, with what is not committed yet, its packages and its build: nothing is fetched, and nothing
 * is built that is built here.
 */
export function cloneTo(folder: string): void {
  const here = process.cwd()
  execFileSync('git', ['clone', '--quiet', '--local', here, folder])
  const listed = (...args: string[]) =>
    execFileSync('git', [...args, '-z'], { cwd: here, encoding: 'utf8' })
      .split('\0')
      .filter((path) => path !== '')
  const changed = listed('diff', 'HEAD', '--name-only', '--no-renames')
  const untracked = listed('ls-files', '--others', '--exclude-standard')
  for (const path of [...changed, ...untracked]) {
    rmSync(join(folder, path), { force: true })
    if (existsSync(join(here, path))) copyTree(join(here, path), join(folder, path))
  }
  copyTree(join(here, 'node_modules'), join(folder, 'node_modules'))
  // Without its stamp a build is one that is being made or that failed.
  if (!existsSync(join(here, '.next', 'tapline-sources'))) return
  for (const name of readdirSync(join(here, '.next'))) {
    if (name !== 'cache' && name !== 'dev') cpSync(join(here, '.next', name), join(folder, '.next', name), asItIs)
  }
}

const asItIs = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true }

/** As hard links where it is the same file system: there are many packages. */
function copyTree(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  if (!lstatSync(from).isDirectory()) return cpSync(from, to, asItIs)
  if (spawnSync('cp', ['-al', from, to]).status === 0) return
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, asItIs)
}

/** Where the Postgres of a data folder keeps its files; null when it has not chosen yet. */
export function postgresFolder(dataFolder: string): string | null {
  const path = join(dataFolder, 'postgres.json')
  if (!existsSync(path)) return null
  return placementSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data?.folder ?? null
}

/** The living processes of a data folder: all that were told of it, and its Postgres. Linux only. */
export function processesOf(dataFolder: string): number[] {
  const postgres = postgresFolder(dataFolder)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const told = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`TAPLINE_DATA=${dataFolder}`)
        return told || (postgres !== null && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(postgres))
      } catch {
        // It has ended meanwhile.
        return false
      }
    })
    .map(Number)
}

/** Ends what still runs on a data folder and removes it, also what lies outside. */
export function removeDataFolder(dataFolder: string): void {
  for (const pid of processesOf(dataFolder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
  const postgres = postgresFolder(dataFolder)
  if (postgres?.startsWith(systemFolder)) rmSync(postgres, { recursive: true, force: true })
  rmSync(dataFolder, { recursive: true, force: true })
}
