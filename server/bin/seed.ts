import { openDatabase } from '@/db/client'
import { systemClock } from '@/server/platform/clock'
import { readEnvironment } from '@/server/platform/env'
import { TaplineError } from '@/server/platform/errors'
import { findDatabaseUrl } from '@/server/platform/find-database-url'
import { runCommand } from '@/server/platform/run-command'
import { readInstance } from '@/server/platform/supervisor/instance-file'
import { seedPeople } from '@/server/seed/seed-people'

const scenarios = ['people'] as const

await runCommand(async () => {
  const [name] = process.argv.slice(2)
  if (!scenarios.some((scenario) => scenario === name)) {
    throw new TaplineError('bad-input', `Usage: npm run seed -- ${scenarios.join('|')}`)
  }
  const environment = readEnvironment()
  const instance = await readInstance(environment.dataFolder)
  if (instance === null)
    throw new TaplineError('unavailable', 'Tapline is not running in this folder: run `npm start`.')
  const { db, close } = openDatabase(await findDatabaseUrl(environment), { max: 1 })
  try {
    for (const person of await seedPeople(db, systemClock)) {
      process.stdout.write(
        `${person.role.padEnd(10)} ${person.name.padEnd(16)} ${instance.url}/enter/${person.token}\n`,
      )
    }
  } finally {
    await close()
  }
})
