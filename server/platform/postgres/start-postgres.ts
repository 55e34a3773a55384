import { chown, mkdir, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { TaplineError } from '../errors'
import type { Logger } from '../log'
import { findBinaries } from './binaries'
import { answers, type Cluster, findPostmaster, freePort, initCluster, startCluster, stopCluster } from './cluster'
import { canUseFolder, type Owner, takeOwner } from './owner'
import { databaseName, takePlacement, urlOf, writePlacement } from './placement'

export type RunningPostgres = {
  url: string
  /** False for a server named by `DATABASE_URL`, which is not ours to stop. */
  isEmbedded: boolean
  /** Whether the server process still exists; for a server of others always true. */
  isAlive(): Promise<boolean>
  stop(): Promise<void>
}

/**
 * Makes Postgres available: the one `databaseUrl` names, else the data folder's own, which is made, started, or adopted
 * when it still runs because its launcher was killed. Throws `unavailable` with what to do.
 */
export async function startPostgres(options: {
  dataFolder: string
  databaseUrl?: string | null
  log: Logger
}): Promise<RunningPostgres> {
  const { dataFolder, log } = options
  if (options.databaseUrl) return foreignPostgres(options.databaseUrl)
  const owner = takeOwner()
  const placement = await takePlacement(dataFolder)
  const binaries = await findBinaries(owner)
  const folder = await takeFolder(placement.folder ?? join(dataFolder, 'postgres'), placement.id, owner)
  const cluster: Cluster = { binaries, owner, folder, password: placement.password, settings: [] }
  const record = async (port: number) => {
    if (placement.port === port && placement.folder === folder) return
    Object.assign(placement, { port, folder })
    await writePlacement(dataFolder, placement)
  }

  await initCluster(cluster)
  const adopted = await adopt(cluster)
  if (adopted === null) {
    const port = await freePort(placement.port)
    await record(port)
    await startWithPatience(cluster, port)
    log.info({ port, folder }, 'Postgres started')
  } else {
    await record(adopted)
    log.info({ port: adopted, folder }, 'Postgres was still running and is used as it is')
  }
  await ensureDatabase(urlOf(placement, 'postgres'))
  return {
    url: urlOf(placement),
    isEmbedded: true,
    isAlive: async () => (await findPostmaster(cluster)) !== null,
    stop: () => stopCluster(cluster),
  }
}

async function foreignPostgres(url: string): Promise<RunningPostgres> {
  const sql = postgres(url, { max: 1, connect_timeout: 10 })
  try {
    await sql`select 1`
  } catch (cause) {
    const why = cause instanceof Error && cause.message !== '' ? cause.message : 'no connection'
    throw new TaplineError('unavailable', `DATABASE_URL can't be used: ${why}`, { cause })
  } finally {
    await sql.end({ timeout: 1 })
  }
  return { url, isEmbedded: false, isAlive: async () => true, stop: async () => undefined }
}

/** The wanted folder, or one below /var/lib/tapline when the owner can't get to it (a clone below a 0700 folder). */
async function takeFolder(wanted: string, id: string, owner: Owner): Promise<string> {
  for (const folder of [wanted, join('/var/lib/tapline', id)]) {
    const parent = owner === null ? undefined : 0o755
    if (folder !== wanted && parent !== undefined) await mkdir('/var/lib/tapline', { recursive: true, mode: parent })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (owner !== null && (await stat(folder)).uid !== owner.uid) await chown(folder, owner.uid, owner.gid)
    if (canUseFolder(folder, owner)) return folder
    await rmdir(folder)
    if (owner === null) break
  }
  throw new TaplineError('unavailable', `Postgres can't write ${wanted}: set TAPLINE_DATA to a folder it can use.`)
}

/** The port of the server that still runs on this cluster, once it answers; null when there is none. */
async function adopt(cluster: Cluster): Promise<number | null> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const postmaster = await findPostmaster(cluster)
    if (postmaster === null) return null
    if (postmaster.port > 0 && (await answers(cluster, postmaster.port))) return postmaster.port
    await delay(250)
  }
  await stopCluster(cluster, 'immediate')
  return null
}

/** After a kill -9 of the server its last children hold the shared memory for a moment. */
async function startWithPatience(cluster: Cluster, port: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await startCluster(cluster, port)
      return
    } catch (error) {
      const isTransient = error instanceof Error && /shared memory block .* still in use/.test(error.message)
      if (!isTransient || attempt === 10) throw error
      await delay(500)
    }
  }
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined })
  try {
    const found = await sql`select 1 from pg_database where datname = ${databaseName}`
    if (found.length === 0) await sql.unsafe(`create database ${databaseName}`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
