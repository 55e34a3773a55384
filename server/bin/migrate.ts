import { readEnvironment } from '@/server/platform/env'
import { findDatabaseUrl } from '@/server/platform/find-database-url'
import { createLogger } from '@/server/platform/log'
import { migrateDatabase } from '@/server/platform/migrate'
import { startPostgres } from '@/server/platform/postgres/start-postgres'
import { runCommand } from '@/server/platform/run-command'
import { readInstance } from '@/server/platform/supervisor/instance-file'

await runCommand(async () => {
  const environment = readEnvironment()
  if (environment.databaseUrl !== null || (await readInstance(environment.dataFolder)) !== null) {
    await migrateDatabase(await findDatabaseUrl(environment))
  } else {
    const server = await startPostgres({ dataFolder: environment.dataFolder, log: createLogger('migrate') })
    try {
      await migrateDatabase(server.url)
    } finally {
      await server.stop()
    }
  }
  process.stdout.write('The database is up to date.\n')
})
