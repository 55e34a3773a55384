import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { isProcessAlive } from '../machine'
import { migrateDatabase } from '../migrate'
import { findBinaries } from '../postgres/binaries'
import { type Cluster, freePort, initCluster, startCluster, stopCluster } from '../postgres/cluster'
import { takeOwner } from '../postgres/owner'
import { urlOf } from '../postgres/placement'

const prefix = 'tapline-test-postgres-'
export const templateName = 'tapline_template'

export type TestPostgres = { url: string; stop(): Promise<void> }

/** A throw-away server in a temp folder, with a migrated template database; `url` is its database `postgres`. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const owner = takeOwner()
  const binaries = await findBinaries(owner)
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=200',
    'wal_level=minimal',
    'max_wal_senders=0',
  ]
  await removeOrphans({ binaries, owner, settings, password: '' })
  const folder = await mkdtemp(join(tmpdir(), prefix))
  await writeFile(join(folder, 'owner.pid'), String(process.pid))
  if (owner) await chown(folder, owner.uid, owner.gid)
  const cluster: Cluster = { binaries, owner, folder, password: randomBytes(16).toString('hex'), settings }
  const stop = async () => {
    await stopCluster(cluster, 'immediate')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await initCluster(cluster, ['--no-sync'])
    const port = await freePort()
    await startCluster(cluster, port)
    const url = urlOf({ port, password: cluster.password }, 'postgres')
    await makeTemplate(url)
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeTemplate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(`create database ${templateName}`)
    await migrateDatabase(databaseUrl(url, templateName))
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The same server's address with another database. */
export function databaseUrl(url: string, database: string): string {
  const result = new URL(url)
  result.pathname = `/${database}`
  return result.href
}

/** Servers whose test run was killed. */
async function removeOrphans(base: Omit<Cluster, 'folder'>): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const folder = join(tmpdir(), name)
    const pid = Number(await readFile(join(folder, 'owner.pid'), 'utf8').catch(() => '0'))
    if (pid === 0 || isProcessAlive(pid)) continue
    await stopCluster({ ...base, folder }, 'immediate').catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}
