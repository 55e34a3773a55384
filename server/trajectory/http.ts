import { Readable } from 'node:stream'
import type { Database } from '@/db/client'
import type { BlobStore } from '@/server/platform/blobs'
import { readArtefactRow } from './store/artefacts'

/** How a kept media type goes out. Markup and JSON are shown as plain text: nothing stored may run in our origin. */
const served: Record<string, { contentType: string; isInline: boolean; extension: string }> = {
  'image/png': { contentType: 'image/png', isInline: true, extension: 'png' },
  'image/webp': { contentType: 'image/webp', isInline: true, extension: 'webp' },
  'application/xml': { contentType: 'text/plain; charset=utf-8', isInline: true, extension: 'xml' },
  'text/plain': { contentType: 'text/plain; charset=utf-8', isInline: true, extension: 'txt' },
  'application/json': { contentType: 'text/plain; charset=utf-8', isInline: true, extension: 'json' },
  'video/mp4': { contentType: 'video/mp4', isInline: false, extension: 'mp4' },
}
const unknownType = { contentType: 'application/octet-stream', isInline: false, extension: 'bin' }

/**
 * Answers GET and HEAD of `…/<sha256>` with the artefact: its hash as ETag, 304 when the reader has it, 206 for one
 * range, 416 for a range outside, 404 when there is none. Content never changes, so it may be cached for good.
 */
export async function serveArtefact(
  request: Request,
  { db, blobs }: { db: Database; blobs: BlobStore },
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response('Use GET.', { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  const sha256 = new URL(request.url).pathname.split('/').at(-1) ?? ''
  const row = /^[0-9a-f]{64}$/.test(sha256) ? await readArtefactRow(db, sha256) : null
  if (!row) return notFound()
  const { contentType, isInline, extension } = served[row.mediaType] ?? unknownType
  const etag = `"${sha256}"`
  const headers = new Headers({
    ETag: etag,
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Disposition': `${isInline ? 'inline' : 'attachment'}; filename="${sha256.slice(0, 12)}.${extension}"`,
    'Accept-Ranges': 'bytes',
  })
  if (matches(request.headers.get('If-None-Match'), etag)) return new Response(null, { status: 304, headers })

  const range = parseRange(request, etag, row.bytes)
  if (range === 'outside') {
    headers.set('Content-Range', `bytes */${row.bytes}`)
    return new Response(null, { status: 416, headers })
  }
  const blob = await blobs.open(sha256, range ?? undefined)
  if (!blob) return notFound()
  headers.set('Content-Length', String(blob.end - blob.start + 1))
  if (range) headers.set('Content-Range', `bytes ${blob.start}-${blob.end}/${blob.totalBytes}`)
  const status = range ? 206 : 200
  if (request.method === 'HEAD') {
    blob.stream.destroy()
    return new Response(null, { status, headers })
  }
  return new Response(Readable.toWeb(blob.stream) as ReadableStream<Uint8Array>, { status, headers })
}

function notFound(): Response {
  return new Response('There is no such artefact.', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  })
}

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some((part) => ['*', etag, `W/${etag}`].includes(part.trim()))
}

/** One byte range (RFC 9110, section 14); null to send everything, as for several ranges or an `If-Range` of other bytes. */
function parseRange(
  request: Request,
  etag: string,
  totalBytes: number,
): { start: number; end: number } | 'outside' | null {
  const ifRange = request.headers.get('If-Range')
  if (ifRange !== null && ifRange !== etag) return null
  const match = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get('Range')?.trim() ?? '')
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '') {
    if (last === '') return null
    const length = Number(last)
    return length === 0 ? 'outside' : { start: Math.max(0, totalBytes - length), end: totalBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? totalBytes - 1 : Math.min(Number(last), totalBytes - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= totalBytes ? 'outside' : { start, end }
}
