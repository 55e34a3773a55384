import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BlobStore, openBlobStore } from '@/server/platform/blobs'
import { testDatabase } from '@/server/platform/testing/test-database'
import { serveArtefact } from './http'
import { keepArtefact, type MediaType } from './keep-artefact'

let database: Awaited<ReturnType<typeof testDatabase>>
let folder: string
let blobs: BlobStore
beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tapline-artefacts-'))
  blobs = openBlobStore(folder)
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const keep = (text: string, mediaType: MediaType) =>
  keepArtefact({ db: database.db, blobs, clock: () => 1, bytes: Buffer.from(text), mediaType })
const get = (sha256: string, headers: Record<string, string> = {}, method = 'GET') =>
  serveArtefact(new Request(`http://127.0.0.1/artefacts/${sha256}`, { headers, method }), { db: database.db, blobs })

test('serves the bytes under their hash, and nothing when the reader has them', async () => {
  const sha256 = await keep('<hierarchy/>', 'application/xml')
  const answer = await get(sha256)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('<hierarchy/>')
  const etag = answer.headers.get('ETag') ?? ''
  expect(etag).toBe(`"${sha256}"`)
  const again = await get(sha256, { 'If-None-Match': `"other", ${etag}` })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('never lets stored markup run: text goes out as plain text, unknown bytes as a download', async () => {
  const xml = await get(await keep('<html><script>alert(1)</script></html>', 'application/xml'))
  expect(xml.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  expect(xml.headers.get('X-Content-Type-Options')).toBe('nosniff')
  const bytes = await get(await keep('<html>', 'application/octet-stream'))
  expect(bytes.headers.get('Content-Disposition')).toMatch(/^attachment/)
})

test('serves ranges, and refuses one outside', async () => {
  const sha256 = await keep('0123456789', 'text/plain')
  const part = async (range: string, more: Record<string, string> = {}) => {
    const answer = await get(sha256, { Range: range, ...more })
    return [answer.status, answer.headers.get('Content-Range'), await answer.text()]
  }
  expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=5-99')).toEqual([206, 'bytes 5-9/10', '56789'])
  expect(await part('bytes=10-')).toEqual([416, 'bytes */10', ''])
  expect(await part('bytes=0-1,4-5')).toEqual([200, null, '0123456789'])
  expect(await part('bytes=2-4', { 'If-Range': '"other"' })).toEqual([200, null, '0123456789'])
})

test('404 for what is not there or not a hash, 405 for writing', async () => {
  expect((await get('a'.repeat(64))).status).toBe(404)
  expect((await get('..%2f..%2fetc%2fpasswd')).status).toBe(404)
  expect((await get(await keep('x', 'text/plain'), {}, 'POST')).status).toBe(405)
  expect(await (await get(await keep('x', 'text/plain'), {}, 'HEAD')).text()).toBe('')
})
