import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticate } from '@/server/platform/people/authenticate'
import { sessionCookieName } from '@/server/platform/people/session-cookie'
import { testDatabase } from '@/server/platform/testing/test-database'
import { seedPeople, seedSession } from './seed-people'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => (database = await testDatabase()))
afterAll(() => database.close())

test('seeding twice gives four people, and links that work', async () => {
  await seedPeople(database.db, () => 0)
  const seeded = await seedPeople(database.db, () => 0)
  expect(seeded.map(({ role }) => role)).toEqual(['viewer', 'annotator', 'operator', 'admin'])
  expect(await database.sql`select 1 from people`).toHaveLength(4)
})

test('a seeded session is a session', async () => {
  const { person, sessionToken } = await seedSession(database.db, { role: 'annotator', clock: () => 0 })
  expect(person.role).toBe('annotator')
  const cookie = `${sessionCookieName('ab12', false)}=${sessionToken}`
  expect(await authenticate(database.db, cookie, 'ab12', () => 1)).toEqual(person)
})
