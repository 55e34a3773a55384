import { parseArgs } from 'node:util'
import { openDatabase } from '@/db/client'
import { systemClock } from '@/server/platform/clock'
import { readEnvironment } from '@/server/platform/env'
import { TaplineError } from '@/server/platform/errors'
import { findDatabaseUrl } from '@/server/platform/find-database-url'
import { role, roles } from '@/server/platform/people/contract'
import { createLink } from '@/server/platform/people/create-link'
import { runCommand } from '@/server/platform/run-command'
import { readInstance } from '@/server/platform/supervisor/instance-file'

await runCommand(async () => {
  const usage = `Usage: npm run link -- --name "Second reader" --role ${roles.join('|')}`
  let values: { name?: string; role?: string; help?: boolean }
  try {
    const options = { name: { type: 'string' }, role: { type: 'string' }, help: { type: 'boolean' } } as const
    values = parseArgs({ options }).values
  } catch (cause) {
    throw new TaplineError('bad-input', `${cause instanceof Error ? cause.message : ''}\n${usage}`, { cause })
  }
  if (values.help) {
    process.stdout.write(`${usage}\nWithout options: a link for the administrator.\n`)
    return
  }
  const wanted = role.safeParse(values.role ?? 'admin')
  if (!wanted.success) throw new TaplineError('bad-input', `There is no role "${values.role}".\n${usage}`)
  if (values.name === undefined && values.role !== undefined)
    throw new TaplineError('bad-input', `--name is missing.\n${usage}`)

  const environment = readEnvironment()
  const instance = await readInstance(environment.dataFolder)
  if (instance === null)
    throw new TaplineError('unavailable', 'Tapline is not running in this folder: run `npm start`.')
  const { db, close } = openDatabase(await findDatabaseUrl(environment), { max: 1 })
  try {
    const name = values.name ?? 'Admin'
    const { token } = await createLink(db, { name, role: wanted.data, clock: systemClock })
    process.stdout.write(
      `${instance.url}/enter/${token}\nSigns in ${name} as ${wanted.data}; works once, for 10 minutes.\n`,
    )
  } finally {
    await close()
  }
})
