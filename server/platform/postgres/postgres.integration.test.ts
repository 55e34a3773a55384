import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '@/db/client'
import { createLogger } from '../log'
import { isProcessAlive } from '../machine'
import { readPlacement } from './placement'
import { type RunningPostgres, startPostgres } from './start-postgres'

const log = createLogger('postgres test', { write: () => undefined })
let base: string
let folders: string[]
const started: RunningPostgres[] = []

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'tapline-launcher-')))
  await chmod(base, 0o755)
  folders = [base]
})
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function start(dataFolder: string): Promise<RunningPostgres> {
  const server = await startPostgres({ dataFolder, log })
  started.push(server)
  return server
}

async function postmasterPid(dataFolder: string): Promise<number> {
  const placement = await readPlacement(dataFolder)
  return Number((await readFile(join(placement?.folder ?? '', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

async function query(url: string, text: string): Promise<unknown[]> {
  const { sql, close } = openDatabase(url, { max: 1 })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await close()
  }
}

/** Resolves once the process is gone; the kernel needs a moment after SIGKILL. */
async function killed(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  while (isProcessAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
}

test('a server that outlived its launcher is adopted, one that was killed is started with its data', async () => {
  const data = join(base, 'data')
  const first = await start(data)
  await query(first.url, 'create table kept (n int); insert into kept values (7)')
  const pid = await postmasterPid(data)

  // A launcher that was killed has stopped nothing: the next one simply starts.
  const second = await start(data)
  expect(await postmasterPid(data)).toBe(pid)
  expect(second.url).toBe(first.url)

  await killed(pid)
  expect(await second.isAlive()).toBe(false)
  const third = await start(data)
  expect(third.url).toBe(first.url)
  expect(await postmasterPid(data)).not.toBe(pid)
  expect(await query(third.url, 'select n from kept')).toEqual([{ n: 7 }])

  await third.stop()
  expect(await third.isAlive()).toBe(false)
  await third.stop()
})

test('a lock file whose pid belongs to another program by now is no server', async () => {
  const data = join(base, 'data')
  const first = await start(data)
  const folder = (await readPlacement(data))?.folder ?? ''
  const lock = join(folder, 'data', 'postmaster.pid')
  const lines = (await readFile(lock, 'utf8')).split('\n')
  await first.stop()
  await writeFile(lock, [String(process.pid), ...lines.slice(1)].join('\n'))
  const second = await start(data)
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('its port and password are its own, and the password is needed', async () => {
  const data = join(base, 'data')
  const { url } = await start(data)
  expect((await stat(join(data, 'postgres.json'))).mode & 0o777).toBe(0o600)
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password/)
  expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
})

test('a copied data folder gets a database of its own, a moved one keeps its database', async () => {
  const original = join(base, 'original')
  const first = await start(original)
  await query(first.url, 'create table kept (n int)')
  const copy = join(base, 'copy')
  await cp(original, copy, { recursive: true })
  const second = await start(copy)
  expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
  expect(await query(second.url, "select to_regclass('kept')::text as found")).toEqual([{ found: null }])

  await first.stop()
  const moved = join(base, 'moved')
  await rename(original, moved)
  const third = await start(moved)
  expect(await query(third.url, "select to_regclass('kept')::text as found")).toEqual([{ found: 'kept' }])
})

test('a half-made cluster is made anew', async () => {
  const data = join(base, 'data')
  const first = await start(data)
  await first.stop()
  const folder = (await readPlacement(data))?.folder ?? ''
  await rm(join(folder, 'data'), { recursive: true })
  expect(await query((await start(data)).url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.runIf(process.getuid?.() === 0)('root below a folder that nobody else may enter', async () => {
  const closed = join(base, 'closed')
  await mkdir(closed, { mode: 0o700 })
  const data = join(closed, 'clone', '.tapline')
  const server = await start(data)
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const folder = (await readPlacement(data))?.folder ?? ''
  folders.push(folder)
  expect(folder.startsWith(closed)).toBe(false)
  const pid = await postmasterPid(data)
  expect(
    spawnSync('ps', ['-o', 'user=', '-p', String(pid)])
      .stdout.toString()
      .trim(),
  ).toBe('postgres')
})

test('DATABASE_URL is used as it is, and a bad one is named without its password', async () => {
  const data = join(base, 'data')
  const { url } = await start(data)
  const foreign = await startPostgres({ dataFolder: join(base, 'unused'), databaseUrl: url, log })
  expect(foreign).toMatchObject({ url, isEmbedded: false })
  await foreign.stop()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  const failing = startPostgres({ dataFolder: base, databaseUrl: 'postgres://u:hidden@127.0.0.1:1/x', log })
  await expect(failing).rejects.toThrow(/^DATABASE_URL can't be used: (?!.*hidden)/)
})
