import { join } from 'node:path'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { Logger, runMigrations } from 'graphile-worker'
import { openDatabase } from '@/db/client'
import { cloneFolder } from './clone-folder'
import { ensureInstallation } from './store'

// Any fixed number: what matters is that all copies of Tapline use the same.
const migrationLock = 7_461_012

/** Brings a database up to date: our tables, graphile-worker's, and the installation's row. Concurrent calls queue up. */
export async function migrateDatabase(url: string): Promise<void> {
  const { db, sql, close } = openDatabase(url, { max: 1 })
  try {
    await sql`select pg_advisory_lock(${migrationLock})`
    await migrate(db, { migrationsFolder: join(cloneFolder(), 'db', 'migrations') })
    await runMigrations({
      connectionString: url,
      maxPoolSize: 1,
      taskList: {},
      logger: new Logger(() => () => undefined),
    })
    await ensureInstallation(db)
  } finally {
    // The lock goes with the connection.
    await close()
  }
}
