import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashSources } from './build-if-stale'
import { readInstance, removeInstance, writeInstance } from './instance-file'
import { takePidLock } from './pid-lock'

// Linux gives no process an id this high.
const deadPid = 2 ** 30
let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'tapline-files-'))))
afterEach(() => rm(folder, { recursive: true }))

test('the build is stale when a source, a message, a config or a name changes, not when a test does', async () => {
  await mkdir(join(folder, 'app', 'deep'), { recursive: true })
  await mkdir(join(folder, 'messages'))
  const write = (path: string, text: string) => writeFile(join(folder, path), text)
  const hashes = new Set<string>()
  for (const change of [
    () => write('app/deep/page.tsx', 'one'),
    () => write('app/deep/page.tsx', 'two'),
    () => write('app/page.tsx', 'two'),
    () => rm(join(folder, 'app/deep/page.tsx')),
    () => write('messages/en.json', '{}'),
    () => write('next.config.ts', ''),
    () => write('package-lock.json', '{}'),
    () => write('tsconfig.json', '{}'),
  ]) {
    await change()
    hashes.add(await hashSources(folder))
  }
  expect(hashes.size).toBe(8)
  await write('app/page.test.tsx', 'a test')
  await write('README.md', 'words')
  hashes.add(await hashSources(folder))
  expect(hashes.size).toBe(8)
})

test('an instance is found while its process lives', async () => {
  const instance = {
    dataFolder: folder,
    url: 'http://127.0.0.1:4300',
    port: 4300,
    gatewayPort: 4301,
    phonePorts: [5611],
  }
  expect(await readInstance(folder)).toBeNull()
  await writeInstance(folder, { pid: process.pid, ...instance })
  expect(await readInstance(folder)).toEqual({ pid: process.pid, ...instance })
  await writeInstance(folder, { pid: deadPid, ...instance })
  expect(await readInstance(folder)).toBeNull()
  await writeInstance(folder, { pid: process.pid, ...instance, dataFolder: '/copied/from/here' })
  expect(await readInstance(folder)).toBeNull()
  await writeFile(join(folder, 'instance.json'), '{"pid":')
  expect(await readInstance(folder)).toBeNull()
  await removeInstance(folder)
  await removeInstance(folder)
})

test('a lock has one living holder; that of a dead one, a copied or damaged one is taken over', async () => {
  const path = join(folder, 'deep', 'lock')
  const first = await takePidLock(path)
  expect(first).toHaveProperty('release')
  await writeFile(path, `${process.ppid}\n${path}\n`)
  expect(await takePidLock(path)).toEqual({ pid: process.ppid })
  for (const content of [`${deadPid}\n${path}\n`, `${process.ppid}\n/copied/from/here\n`, '', 'words']) {
    await writeFile(path, content)
    const taken = await takePidLock(path)
    expect(taken).toHaveProperty('release')
  }
})
