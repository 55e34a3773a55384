import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TaplineError } from '../errors'
import type { Logger } from '../log'
import { waitForPidLock } from './pid-lock'

const sources = [
  'app',
  'components',
  'db',
  'i18n',
  'messages',
  'public',
  'server',
  'next.config.ts',
  'package-lock.json',
  'package.json',
  'postcss.config.mjs',
]
const ignored = /\.test\.tsx?$/

/** A hash over everything that goes into the build, paths and contents; tests don't. */
export async function hashSources(folder: string): Promise<string> {
  // Apart, because `next build` may write what it misses into tsconfig.json, which must not make the build stale.
  return `${await hashFiles(folder, sources)}.${await hashFiles(folder, ['tsconfig.json'])}`
}

async function hashFiles(folder: string, parts: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts) {
    for (const path of (await filesOf(folder, part)).sort()) {
      if (ignored.test(path)) continue
      hash
        .update(`${path}\0`)
        .update(await readFile(join(folder, path)))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

async function filesOf(folder: string, source: string): Promise<string[]> {
  try {
    const entries = await readdir(join(folder, source), { withFileTypes: true, recursive: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return [source]
    if (code === 'ENOENT') return []
    throw error
  }
}

/**
 * Runs `next build` unless `.next` was built from the sources as they are; of several callers one builds and the others
 * wait for it. Returns how long the build took, or null when there was nothing to do.
 */
export async function buildIfStale(folder: string, log: Logger, signal: AbortSignal): Promise<number | null> {
  const stamp = join(folder, '.next', 'tapline-sources')
  const isFresh = async (hash: string) => (await readFile(stamp, 'utf8').catch(() => '')) === hash
  if (await isFresh(await hashSources(folder))) return null

  const lock = await waitForPidLock(join(folder, 'dist', 'build.lock'), signal)
  try {
    // Taken before the build: what is edited meanwhile makes it stale again.
    if (await isFresh(await hashSources(folder))) return null
    const hash = await hashFiles(folder, sources)
    const startedAt = performance.now()
    log.info('the sources have changed: building')
    await runNextBuild(folder, signal)
    await writeFile(stamp, `${hash}.${await hashFiles(folder, ['tsconfig.json'])}`)
    return performance.now() - startedAt
  } finally {
    await lock.release()
  }
}

async function runNextBuild(folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [join(folder, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
    killSignal: 'SIGKILL',
  })
  const how = await new Promise<string | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, killedBy) => resolve(code === 0 ? null : (killedBy ?? `exit code ${code}`)))
  })
  if (how !== null) throw new TaplineError('internal', `The build failed (${how}); its output is above.`)
}
