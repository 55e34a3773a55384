import type { TaplineEnvironment } from './env'
import { TaplineError } from './errors'
import { readPlacement, urlOf } from './postgres/placement'

/** `DATABASE_URL`, else the address of the data folder's own Postgres. Throws `unavailable` when there is neither. */
export async function findDatabaseUrl(
  environment: Pick<TaplineEnvironment, 'databaseUrl' | 'dataFolder'>,
): Promise<string> {
  if (environment.databaseUrl !== null) return environment.databaseUrl
  const placement = await readPlacement(environment.dataFolder)
  if (placement !== null) return urlOf(placement)
  throw new TaplineError('unavailable', 'There is no database yet: run `npm start`, or set DATABASE_URL.')
}
