import { type OpenedDatabase, openDatabase } from '@/db/client'
import { type BlobStore, openBlobStore } from './blobs'
import { type Clock, systemClock } from './clock'
import type { TaplineEnvironment } from './env'
import { findDatabaseUrl } from './find-database-url'
import { createLogger, type Logger } from './log'
import { createListener, type Listener } from './notify'
import { deriveAgentToken, readSecret } from './secret'
import { readInstanceId } from './store'

/** What a serving process opens once and hands to everything in it. */
export type Services = {
  environment: TaplineEnvironment
  db: OpenedDatabase['db']
  sql: OpenedDatabase['sql']
  databaseUrl: string
  instanceId: string
  secret: string
  agentToken: string
  blobs: BlobStore
  listener: Listener
  clock: Clock
  log: Logger
  close(): Promise<void>
}

/** Opens the services of a process named `name`. Throws `unavailable` when there is no migrated database. */
export async function openServices(name: string, environment: TaplineEnvironment): Promise<Services> {
  const databaseUrl = await findDatabaseUrl(environment)
  const database = openDatabase(databaseUrl)
  const listener = createListener(databaseUrl)
  const close = async () => {
    await Promise.all([listener.close(), database.close()])
  }
  try {
    const secret = await readSecret(environment)
    return {
      environment,
      db: database.db,
      sql: database.sql,
      databaseUrl,
      instanceId: await readInstanceId(database.db),
      secret,
      agentToken: deriveAgentToken(secret),
      blobs: openBlobStore(environment.dataFolder),
      listener,
      clock: systemClock,
      log: createLogger(name),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
