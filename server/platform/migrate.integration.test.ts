import postgres from 'postgres'
import { expect, test } from 'vitest'
import { openDatabase } from '@/db/client'
import { migrateDatabase } from './migrate'
import { readInstanceId } from './store'
import { databaseUrl } from './testing/test-server'
import { testDatabase } from './testing/test-database'

test('several processes may migrate an empty database at once, and again later', async () => {
  const host = await testDatabase()
  const admin = postgres(host.url, { max: 1, onnotice: () => undefined })
  const name = `${new URL(host.url).pathname.slice(1)}_empty`
  const url = databaseUrl(host.url, name)
  try {
    await admin.unsafe(`create database ${name}`)
    const before = openDatabase(url, { max: 1 })
    await expect(readInstanceId(before.db)).rejects.toThrow()
    await before.close()

    await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)])
    const { db, sql, close } = openDatabase(url, { max: 1 })
    const instanceId = await readInstanceId(db)
    expect(instanceId).toMatch(/^[0-9a-f]{8}$/)
    await migrateDatabase(url)
    expect(await readInstanceId(db)).toBe(instanceId)
    const [row] = await sql`select count(*)::int as files from drizzle.__drizzle_migrations`
    const [graphile] = await sql`select count(*)::int as files from graphile_worker.migrations`
    expect(row?.['files']).toBeGreaterThan(0)
    expect(graphile?.['files']).toBeGreaterThan(0)
    await close()
  } finally {
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.end()
    await host.close()
  }
})
