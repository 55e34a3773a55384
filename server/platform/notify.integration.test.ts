import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createListener, notify } from './notify'
import { testDatabase } from './testing/test-database'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => (database = await testDatabase()))
afterAll(() => database.close())

/** Values as they come, each awaited once. */
function mailbox<T>() {
  const arrived: T[] = []
  const waiting: ((value: T) => void)[] = []
  return {
    put(value: T) {
      const waiter = waiting.shift()
      if (waiter) waiter(value)
      else arrived.push(value)
    },
    next: () =>
      arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise<T>((resolve) => waiting.push(resolve)),
    arrived,
  }
}

test('a notice arrives when its transaction commits, and only on its channel', async () => {
  const listener = createListener(database.url)
  const payloads = mailbox<string>()
  const stop = await listener.listen('episode', payloads.put, () => undefined)
  await expect(
    database.db.transaction(async (tx) => {
      await notify(tx, 'episode', 'rolled back')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await notify(database.db, 'other', 'elsewhere')
  await database.db.transaction((tx) => notify(tx, 'episode', `it's "quoted"`))
  expect(await payloads.next()).toBe(`it's "quoted"`)

  const second = mailbox<string>()
  const stopSecond = await listener.listen('episode', second.put, () => undefined)
  await stop()
  await notify(database.db, 'episode', 'for the second')
  expect(await second.next()).toBe('for the second')
  expect(payloads.arrived).toEqual([])
  await stopSecond()
  await listener.close()
})

test('after the connection was cut it listens again, and says so', async () => {
  const listener = createListener(database.url)
  const payloads = mailbox<string>()
  const reconnects = mailbox<'again'>()
  await listener.listen('a channel', payloads.put, () => reconnects.put('again'))
  for (let round = 0; round < 2; round++) {
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'tapline listener' and datname = current_database()`
    expect(await reconnects.next()).toBe('again')
    await notify(database.db, 'a channel', `round ${round}`)
    expect(await payloads.next()).toBe(`round ${round}`)
  }
  await listener.close()
})

test('it keeps trying while it is refused', async () => {
  const real = new URL(database.url)
  const sockets = new Set<Socket>()
  let refusals = 0
  let attempts = 0
  const proxy = createServer((socket) => {
    attempts += 1
    sockets.add(socket.on('error', () => undefined))
    if (refusals-- > 0) {
      socket.destroy()
      return
    }
    const upstream = connect(Number(real.port), real.hostname).on('error', () => undefined)
    socket.pipe(upstream).pipe(socket)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  const url = new URL(database.url)
  url.port = String(typeof address === 'object' ? address?.port : '')
  const listener = createListener(url.href)
  const payloads = mailbox<string>()
  const reconnects = mailbox<'again'>()
  await listener.listen('patient', payloads.put, () => reconnects.put('again'))
  expect(attempts).toBe(1)

  refusals = 3
  for (const socket of sockets) socket.destroy()
  expect(await reconnects.next()).toBe('again')
  expect(attempts).toBe(5)
  await notify(database.db, 'patient', 'hello')
  expect(await payloads.next()).toBe('hello')
  await listener.close()
  proxy.close()
})
