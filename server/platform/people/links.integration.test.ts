import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../testing/test-database'
import { authenticate } from './authenticate'
import { createLink } from './create-link'
import { redeemLink } from './redeem-link'
import { sessionCookieName } from './session-cookie'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => (database = await testDatabase()))
afterAll(() => database.close())

const at = (now: number) => () => now
const day = 24 * 3_600_000

test('a link signs in once, and of two at the same moment one wins', async () => {
  const { token, personId } = await createLink(database.db, { name: 'Ada', role: 'operator', clock: at(1_000) })
  const results = await Promise.allSettled([
    redeemLink(database.db, { token, clock: at(2_000) }),
    redeemLink(database.db, { token, clock: at(2_000) }),
  ])
  const won = results.filter((result) => result.status === 'fulfilled')
  const lost = results.filter((result) => result.status === 'rejected')
  expect(won).toHaveLength(1)
  expect(won[0]?.value.person).toEqual({ id: personId, name: 'Ada', role: 'operator' })
  expect(lost[0]?.reason).toMatchObject({ code: 'gone' })
  await expect(redeemLink(database.db, { token, clock: at(3_000) })).rejects.toMatchObject({ code: 'gone' })
})

test('a link dies after ten minutes, and an unknown one never lived', async () => {
  const { token } = await createLink(database.db, { name: 'Ada', role: 'viewer', clock: at(0) })
  await expect(redeemLink(database.db, { token, clock: at(600_000) })).rejects.toMatchObject({ code: 'gone' })
  await expect(redeemLink(database.db, { token: 'no', clock: at(0) })).rejects.toMatchObject({ code: 'gone' })
})

test('the same name is the same person, also at the same moment', async () => {
  const made = await Promise.all(
    [1, 2, 3].map(() => createLink(database.db, { name: ' Grace ', role: 'admin', clock: at(0) })),
  )
  expect(new Set(made.map((link) => link.personId)).size).toBe(1)
  await expect(createLink(database.db, { name: ' ', role: 'admin', clock: at(0) })).rejects.toMatchObject({
    code: 'bad-input',
  })
})

test('a session is found by its cookie for 30 days, under the name of this instance only', async () => {
  const { token } = await createLink(database.db, { name: 'Lin', role: 'annotator', clock: at(0) })
  const { sessionToken, person } = await redeemLink(database.db, { token, clock: at(1) })
  const cookie = `other=1; ${sessionCookieName('ab12', false)}=${sessionToken}`
  expect(await authenticate(database.db, cookie, 'ab12', at(30 * day))).toEqual(person)
  expect(await authenticate(database.db, cookie, 'ab12', at(30 * day + 1))).toBeNull()
  expect(await authenticate(database.db, cookie, 'cd34', at(2))).toBeNull()
  expect(await authenticate(database.db, `tapline_ab12=${token}`, 'ab12', at(2))).toBeNull()
  expect(await authenticate(database.db, undefined, 'ab12', at(2))).toBeNull()
})

test('neither token is kept as it is', async () => {
  const { token } = await createLink(database.db, { name: 'Eve', role: 'viewer', clock: at(0) })
  const { sessionToken } = await redeemLink(database.db, { token, clock: at(1) })
  const rows = await database.sql`select token_hash from sign_in_links union all select token_hash from sessions`
  expect(rows.length).toBeGreaterThan(1)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(rows)).not.toContain(sessionToken)
})
