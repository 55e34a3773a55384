import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { TaplineError } from './errors'

/** Bytes `start` to `end`, both included, as in an HTTP range. */
export type ByteRange = { start: number; end: number }
export type OpenedBlob = { stream: Readable; start: number; end: number; totalBytes: number }

/** Blobs on disk under the SHA-256 of their content, in lower-case hex. */
export type BlobStore = {
  /** Keeps the bytes and returns their SHA-256; they are on the disk when it resolves. */
  put(bytes: Uint8Array): Promise<string>
  /** The bytes, or null when there is no such blob. Throws `internal` when they no longer have that hash. */
  read(sha256: string): Promise<Buffer | null>
  /** Where the blob is or would be. Throws `bad-input` when `sha256` is not 64 hex digits. */
  path(sha256: string): string
  /** A stream of all or a part of the blob, or null when there is none. Throws `bad-input` outside its size. */
  open(sha256: string, range?: ByteRange): Promise<OpenedBlob | null>
}

export function openBlobStore(dataFolder: string): BlobStore {
  const folder = join(dataFolder, 'blobs')

  const path = (sha256: string): string => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TaplineError('bad-input', 'A blob is named by 64 hex digits.')
    return join(folder, sha256.slice(0, 2), sha256.slice(2))
  }

  return {
    path,
    async put(bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const target = path(sha256)
      if ((await sizeOf(target)) === bytes.byteLength) return sha256
      await mkdir(dirname(target), { recursive: true })
      const draft = join(folder, `draft-${process.pid}-${randomBytes(8).toString('hex')}`)
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, target)
      } catch (error) {
        await unlink(draft).catch(() => undefined)
        throw error
      }
      return sha256
    },
    async read(sha256) {
      const bytes = await ifPresent(readFile(path(sha256)))
      if (bytes === null) return null
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
        throw new TaplineError('internal', `Blob ${sha256} is damaged on disk.`)
      }
      return bytes
    },
    async open(sha256, range) {
      const source = path(sha256)
      const totalBytes = await sizeOf(source)
      if (totalBytes === null) return null
      const { start, end } = range ?? { start: 0, end: totalBytes - 1 }
      if (
        range &&
        (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || start > end || end >= totalBytes)
      ) {
        throw new TaplineError('bad-input', `Range ${start}-${end} is outside the blob's ${totalBytes} bytes.`)
      }
      // `end: -1` would be refused: an empty blob is read whole.
      const stream = totalBytes === 0 ? createReadStream(source) : createReadStream(source, { start, end })
      return { stream, start, end, totalBytes }
    },
  }
}

async function sizeOf(path: string): Promise<number | null> {
  return (await ifPresent(stat(path)))?.size ?? null
}

async function ifPresent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
