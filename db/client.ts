import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as device from './schema/device'
import * as people from './schema/people'
import * as queue from './schema/queue'
import * as trajectory from './schema/trajectory'

const schema = { ...device, ...people, ...queue, ...trajectory }

export type Database = PostgresJsDatabase<typeof schema>
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
export type OpenedDatabase = { db: Database; sql: postgres.Sql; close(): Promise<void> }

/** Opens a pool of at most `max` connections (10 by default); nothing is dialled before the first query. */
export function openDatabase(url: string, options: { max?: number } = {}): OpenedDatabase {
  const sql = postgres(url, {
    max: options.max ?? 10,
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: { application_name: 'tapline' },
  })
  return { db: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 2 }) }
}
