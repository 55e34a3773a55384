import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBlobStore } from './blobs'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'tapline-blobs-'))))
afterEach(() => rm(folder, { recursive: true }))

test('keeps bytes under their hash, also when the same are put at the same moment', async () => {
  const blobs = openBlobStore(folder)
  const bytes = randomBytes(100_000)
  const expected = createHash('sha256').update(bytes).digest('hex')
  expect(await Promise.all([blobs.put(bytes), blobs.put(bytes), blobs.put(bytes)])).toEqual([
    expected,
    expected,
    expected,
  ])
  expect(await blobs.read(expected)).toEqual(bytes)
  expect(blobs.path(expected)).toBe(join(folder, 'blobs', expected.slice(0, 2), expected.slice(2)))
  expect(await readdir(join(folder, 'blobs'))).toEqual([expected.slice(0, 2)])
})

test('opens all or a part, and says how much there is', async () => {
  const blobs = openBlobStore(folder)
  const sha256 = await blobs.put(Buffer.from('0123456789'))
  const whole = await blobs.open(sha256)
  expect(whole && (await buffer(whole.stream)).toString()).toBe('0123456789')
  const part = await blobs.open(sha256, { start: 2, end: 4 })
  expect(part).toMatchObject({ start: 2, end: 4, totalBytes: 10 })
  expect(part && (await buffer(part.stream)).toString()).toBe('234')
  for (const range of [
    { start: 0, end: 10 },
    { start: 5, end: 4 },
    { start: -1, end: 2 },
    { start: 0.5, end: 2 },
  ]) {
    await expect(blobs.open(sha256, range)).rejects.toMatchObject({ code: 'bad-input' })
  }
})

test('an empty blob is a blob', async () => {
  const blobs = openBlobStore(folder)
  const sha256 = await blobs.put(new Uint8Array())
  expect(await blobs.read(sha256)).toEqual(Buffer.alloc(0))
  const opened = await blobs.open(sha256)
  expect(opened && (await buffer(opened.stream))).toEqual(Buffer.alloc(0))
})

test('an unknown blob is null, and a name that is no hash is refused', async () => {
  const blobs = openBlobStore(folder)
  expect(await blobs.read('0'.repeat(64))).toBeNull()
  expect(await blobs.open('0'.repeat(64))).toBeNull()
  for (const name of ['../../etc/passwd', '', 'A'.repeat(64)]) {
    expect(() => blobs.path(name)).toThrow('64 hex digits')
    await expect(blobs.read(name)).rejects.toMatchObject({ code: 'bad-input' })
  }
})

test('damage on the disk is noticed', async () => {
  const blobs = openBlobStore(folder)
  const sha256 = await blobs.put(Buffer.from('truth'))
  await writeFile(blobs.path(sha256), 'lies!')
  await expect(blobs.read(sha256)).rejects.toThrow('damaged')
})
