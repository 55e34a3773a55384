import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chown, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'
import { TaplineError } from '../errors'
import { isProcessAlive } from '../machine'
import type { Owner } from './owner'
import { superuser, urlOf } from './placement'

/** A Postgres cluster on disk: `<folder>/data` and its log `<folder>/server.log`. */
export type Cluster = {
  binaries: string
  owner: Owner
  folder: string
  password: string
  /** Further server settings, e.g. `fsync=off`. */
  settings: string[]
}

const dataOf = (cluster: Pick<Cluster, 'folder'>) => join(cluster.folder, 'data')

/** Makes the cluster unless it exists; one that was interrupted half-way is made anew. */
export async function initCluster(cluster: Cluster, flags: string[] = []): Promise<void> {
  if (existsSync(join(dataOf(cluster), 'PG_VERSION'))) return
  const draft = join(cluster.folder, `data.${randomBytes(4).toString('hex')}`)
  const passwordFile = join(cluster.folder, `password.${randomBytes(4).toString('hex')}`)
  try {
    await writeFile(passwordFile, cluster.password, { mode: 0o600, flag: 'wx' })
    if (cluster.owner) await chown(passwordFile, cluster.owner.uid, cluster.owner.gid)
    // No locale of the machine: text sorts the same everywhere, and minimal images have none.
    const fixed = ['--username', superuser, '--auth=scram-sha-256', '--encoding=UTF8', '--no-locale']
    await runTool(cluster, 'initdb', ['-D', draft, '--pwfile', passwordFile, ...fixed, ...flags])
    await rename(draft, dataOf(cluster))
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

export type Postmaster = { pid: number; port: number }

/**
 * The running server of the cluster, or null. A lock file that a dead server left (or that was copied from elsewhere)
 * is removed, also when its pid belongs to another program by now, where `pg_ctl` would see a running server.
 */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const path = join(dataOf(cluster), 'postmaster.pid')
  const lines = await readFile(path, 'utf8').then(
    (text) => text.split('\n').map((line) => line.trim()),
    () => null,
  )
  if (lines === null) return null
  const pid = Number(lines[0])
  if (pid > 0 && lines[1] === dataOf(cluster) && isProcessAlive(pid) && isPostgres(pid)) {
    return { pid, port: Number(lines[3]) }
  }
  await unlink(path).catch(() => undefined)
  return null
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  } catch {
    // No /proc: the pid is alive and that has to do.
    return process.platform !== 'linux'
  }
}

/** Starts the server on a port; resolves when it takes connections. */
export async function startCluster(cluster: Cluster, port: number): Promise<void> {
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=''`, ...cluster.settings]
  const flags = [`-p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ')
  const log = join(cluster.folder, 'server.log')
  await runTool(cluster, 'pg_ctl', ['-D', dataOf(cluster), '-l', log, '-o', flags, '-w', '-t', '30', 'start'])
}

/** Stops the server; open transactions are rolled back. */
export async function stopCluster(cluster: Cluster, mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
  if ((await findPostmaster(cluster)) === null) return
  await runTool(cluster, 'pg_ctl', ['-D', dataOf(cluster), '-m', mode, '-w', '-t', '4', 'stop'])
}

/** Whether the server at this port answers and is ours. */
export async function answers(cluster: Cluster, port: number): Promise<boolean> {
  const sql = postgres(urlOf({ port, password: cluster.password }, 'postgres'), { max: 1, connect_timeout: 3 })
  try {
    const [row] = await sql<{ data_directory: string }[]>`show data_directory`
    return row?.data_directory === dataOf(cluster)
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A port of 127.0.0.1 that nobody listens on: `wanted` if it is one. */
export async function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort())))
    server.listen({ host: '127.0.0.1', port: wanted }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : wanted))
    })
  })
}

async function runTool(cluster: Cluster, tool: 'initdb' | 'pg_ctl', args: string[]): Promise<void> {
  // Nothing of ours: a PGDATA or PGPORT of the caller would change what these tools do.
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv
  const child = spawn(join(cluster.binaries, tool), args, {
    cwd: cluster.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...cluster.owner,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    // Not `close`: a server started by pg_ctl may keep the pipes.
    child.once('exit', resolve)
  })
  child.stdout.destroy()
  child.stderr.destroy()
  if (code === 0) return
  const log = await readFile(join(cluster.folder, 'server.log'), 'utf8').catch(() => '')
  const reason = [output.trim(), log.trim().split('\n').slice(-5).join('\n')].filter((part) => part !== '').join('\n')
  throw new TaplineError('unavailable', `${tool} failed (exit code ${code}): ${reason}`)
}
