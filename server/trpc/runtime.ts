import { sql } from 'drizzle-orm'
import { openDatabase } from '@/db/client'
import { installation } from '@/db/schema/queue'
import { openBlobStore } from '@/server/platform/blobs'
import { systemClock } from '@/server/platform/clock'
import { readEnvironment } from '@/server/platform/env'
import { TaplineError } from '@/server/platform/errors'
import { createLogger } from '@/server/platform/log'
import { createListener } from '@/server/platform/notify'
import type { RequestContext } from '@/server/platform/procedure'

export type Runtime = Omit<RequestContext, 'person' | 'listener'> & {
  instanceId: string
  listener: RequestContext['listener']
}

/** What the requests of one process share: the pool, the blobs, the installation's name; `listener` only to follow. */
export async function openRuntime(
  name: string,
  options: { canFollow: boolean },
): Promise<Runtime & { close(): Promise<void> }> {
  const environment = readEnvironment()
  if (environment.databaseUrl === null) {
    throw new TaplineError('unavailable', 'DATABASE_URL is not set: `npm start` starts a Postgres and sets it.')
  }
  const databaseUrl = environment.databaseUrl
  const opened = openDatabase(databaseUrl)
  const [row] = await opened.db
    .select({ instanceId: installation.instanceId })
    .from(installation)
    .orderBy(sql`id`)
    .limit(1)
  if (row === undefined)
    throw new TaplineError('unavailable', 'The database has not been migrated: run `npm run migrate`.')
  const listener = options.canFollow ? createListener(databaseUrl) : null
  return {
    db: opened.db,
    databaseUrl,
    clock: systemClock,
    listener,
    blobs: openBlobStore(environment.dataFolder),
    log: createLogger(name),
    environment,
    instanceId: row.instanceId,
    close: async () => {
      await listener?.close()
      await opened.close()
    },
  }
}
