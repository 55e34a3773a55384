import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { type OpenedDatabase, openDatabase } from '@/db/client'
import { databaseUrl, startTestPostgres, templateName, type TestPostgres } from './test-server'

let own: Promise<TestPostgres> | null = null
let openCount = 0

/** A fresh, migrated database; `close` drops it. Uses the run's server, or starts one while any database is open. */
export async function testDatabase(): Promise<OpenedDatabase & { url: string }> {
  openCount += 1
  const serverUrl = process.env['TAPLINE_TEST_POSTGRES'] ?? (await (own ??= startTestPostgres())).url
  const name = `test_${randomBytes(6).toString('hex')}`
  await admin(serverUrl, `create database ${name} template ${templateName}`)
  const url = databaseUrl(serverUrl, name)
  const opened = openDatabase(url, { max: 5 })
  return {
    ...opened,
    url,
    async close() {
      await opened.close()
      await admin(serverUrl, `drop database if exists ${name} with (force)`)
      openCount -= 1
      if (openCount > 0 || own === null) return
      const server = own
      own = null
      await (await server).stop()
    },
  }
}

async function admin(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
