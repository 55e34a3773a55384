import type { ByteQueue } from '@/server/wire/byte-queue'
import { ByteReader } from '@/server/wire/byte-reader'
import { ByteWriter, encodeUtf8 } from '@/server/wire/byte-writer'
import { StreamParser } from '@/server/wire/stream-parser'
import { WireError } from '@/server/wire/wire-error'

/**
 * The requests of adb's file service `sync:` and everything that is the same in both directions. Source: AOSP
 * `adb/file_sync_protocol.h` and `SYNC.TXT`. A message is a four-letter id, a u32 (all integers little-endian: a length
 * or a number) and its bytes. The device's answers are read in `sync-response.ts`.
 */
export const syncMaxDataBytes = 65_536
/** adbd refuses a longer path. */
export const syncMaxPathBytes = 1_024

/** `path` requests; `modifiedAt` is in epoch seconds, `mode` a Unix mode including the file type. */
export type SyncRequest =
  | { type: 'stat' | 'stat2' | 'lstat2' | 'list' | 'list2' | 'recv'; path: string }
  | { type: 'send'; path: string; mode: number }
  | { type: 'data'; bytes: Uint8Array }
  | { type: 'done'; modifiedAt: number }
  | { type: 'quit' }

const pathRequests = {
  STAT: 'stat',
  STA2: 'stat2',
  LST2: 'lstat2',
  LIST: 'list',
  LIS2: 'list2',
  RECV: 'recv',
} as const

const pathRequestIds = {
  stat: 'STAT',
  stat2: 'STA2',
  lstat2: 'LST2',
  list: 'LIST',
  list2: 'LIS2',
  recv: 'RECV',
} as const

/** Returns the bytes a host sends. Throws WireError for a path over 1 KiB or data over 64 KiB. */
export function encodeSyncRequest(request: SyncRequest): Uint8Array<ArrayBuffer> {
  switch (request.type) {
    case 'stat':
    case 'stat2':
    case 'lstat2':
    case 'list':
    case 'list2':
    case 'recv':
      return encodeSyncMessage(pathRequestIds[request.type], checkPath(encodeUtf8(request.path)))
    case 'send':
      return encodeSyncMessage('SEND', checkPath(encodeUtf8(`${request.path},${request.mode}`)))
    case 'data':
      return encodeData(request.bytes)
    case 'done':
      return encodeDone(request.modifiedAt)
    case 'quit':
      return encodeSyncNumber('QUIT', 0)
    default:
      throw new WireError(`unknown sync request ${JSON.stringify(request satisfies never)}`)
  }
}

/**
 * Reads the requests of a host on the device's side. Like adbd it takes DATA and DONE only between SEND and its DONE,
 * and nothing else there. Throws WireError on an unknown id, a path over 1 KiB, a SEND without mode or data over 64 KiB.
 */
export class SyncRequestParser extends StreamParser<SyncRequest> {
  constructor() {
    let isSending = false
    super((queue) => {
      const request = readSyncRequest(queue, isSending)
      if (request?.type === 'send') isSending = true
      if (request?.type === 'done') isSending = false
      return request
    })
  }
}

function readSyncRequest(queue: ByteQueue, isSending: boolean): SyncRequest | undefined {
  const head = peekSyncHead(queue)
  if (head === undefined) return undefined
  const { id, number } = head
  const isPartOfSend = id === 'DATA' || id === 'DONE'
  if (isPartOfSend !== isSending) {
    throw new WireError(
      isSending ? `sync SEND is followed by ${quote(id)}` : `sync request ${quote(id)} without a SEND`,
    )
  }
  if (id === 'DONE') {
    queue.take(8)
    return { type: 'done', modifiedAt: number }
  }
  if (id === 'DATA') {
    const bytes = takeSyncBody(queue, number, syncMaxDataBytes, 'sync DATA')
    return bytes && { type: 'data', bytes: bytes.subarray(8) }
  }
  if (id !== 'SEND' && id !== 'QUIT' && !isPathRequest(id)) throw new WireError(`unknown sync request ${quote(id)}`)
  const bytes = takeSyncBody(queue, number, syncMaxPathBytes, `path of sync ${id}`)
  if (bytes === undefined) return undefined
  if (id === 'QUIT') return { type: 'quit' }
  const path = new ByteReader(bytes.subarray(8), 'little-endian').utf8(number)
  return id === 'SEND' ? parseSend(path) : { type: pathRequests[id], path }
}

/** adbd cuts at the last comma and reads the mode with strtoul base 0: decimal, octal after 0, hexadecimal after 0x. */
function parseSend(pathAndMode: string): SyncRequest {
  const match = /^(.*),(0x[0-9a-f]{1,8}|[0-9]{1,11})$/is.exec(pathAndMode)
  const text = match?.[2] ?? ''
  const mode = /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text)
  if (match === null || mode > 0xffff_ffff)
    throw new WireError(`sync SEND ${quote(pathAndMode)} does not end in a mode`)
  return { type: 'send', path: match[1] ?? '', mode }
}

/** `size` in bytes, `modifiedAt` in epoch seconds; both unsigned 32-bit. All 0 when there is no such file. */
export type SyncStat = { mode: number; size: number; modifiedAt: number }

/** The fields of stat(2). Times in epoch seconds; `error` a Linux errno, 0 when the file exists (see `syncErrors`). */
export type SyncStat2 = SyncStat & {
  error: number
  device: bigint
  inode: bigint
  linkCount: number
  userId: number
  groupId: number
  accessedAt: number
  changedAt: number
}

/** The errors a virtual device answers (Linux errno values). */
export const syncErrors = { ENOENT: 2, EACCES: 13, EEXIST: 17, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, EROFS: 30 } as const

/** Answer to stat. */
export function encodeStat(stat: SyncStat): Uint8Array<ArrayBuffer> {
  return writeStat(startMessage('STAT', 16), stat).finish()
}

/** Answer to stat2 (follows links) or lstat2. Fields left out are 0; the times are then those of `modifiedAt`. */
export function encodeStat2(
  stat: SyncStat & Partial<SyncStat2>,
  question: 'stat2' | 'lstat2' = 'stat2',
): Uint8Array<ArrayBuffer> {
  return writeStat2(startMessage(question === 'stat2' ? 'STA2' : 'LST2', 72), stat).finish()
}

/** One entry of a list; `encodeDirectoryEnd` follows the last. `name` without its directory. */
export function encodeDent(entry: SyncStat & { name: string }): Uint8Array<ArrayBuffer> {
  const name = encodeUtf8(entry.name)
  return writeStat(startMessage('DENT', 20 + name.length), entry)
    .u32(name.length, 'name length')
    .bytes(name)
    .finish()
}

/** One entry of a list2. Fields left out as in `encodeStat2`. */
export function encodeDent2(entry: SyncStat & Partial<SyncStat2> & { name: string }): Uint8Array<ArrayBuffer> {
  const name = encodeUtf8(entry.name)
  return writeStat2(startMessage('DNT2', 76 + name.length), entry)
    .u32(name.length, 'name length')
    .bytes(name)
    .finish()
}

/** The end of a list: DONE in the size of an entry without a name, its fields 0. */
export function encodeDirectoryEnd(question: 'list' | 'list2' = 'list'): Uint8Array<ArrayBuffer> {
  const bytes = question === 'list' ? 20 : 76
  return startMessage('DONE', bytes)
    .bytes(new Uint8Array(bytes - 4))
    .finish()
}

/** Part of a file, at most 64 KiB: from the host in a SEND, from the device as answer to RECV. */
export function encodeData(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.length > syncMaxDataBytes) {
    throw new WireError(`sync DATA of ${bytes.length} bytes is over the limit of ${syncMaxDataBytes}`)
  }
  return encodeSyncMessage('DATA', bytes)
}

/** End of a file: from the host with the file's time in epoch seconds, from the device (answer to RECV) with 0. */
export function encodeDone(modifiedAt = 0): Uint8Array<ArrayBuffer> {
  return encodeSyncNumber('DONE', modifiedAt)
}

/** The sent file is stored. */
export function encodeOkay(): Uint8Array<ArrayBuffer> {
  return encodeSyncNumber('OKAY', 0)
}

/** The request failed; adb prints the message as it is. Throws WireError for one over 64 KiB. */
export function encodeFail(message: string): Uint8Array<ArrayBuffer> {
  const bytes = encodeUtf8(message)
  if (bytes.length > syncMaxDataBytes) throw new WireError(`sync FAIL of ${bytes.length} bytes is too long`)
  return encodeSyncMessage('FAIL', bytes)
}

function writeStat(writer: ByteWriter, stat: SyncStat): ByteWriter {
  return writer.u32(stat.mode, 'mode').u32(stat.size, 'size').u32(stat.modifiedAt, 'modifiedAt')
}

function writeStat2(writer: ByteWriter, stat: SyncStat & Partial<SyncStat2>): ByteWriter {
  return writer
    .u32(stat.error ?? 0, 'error')
    .u64(stat.device ?? 0n, 'device')
    .u64(stat.inode ?? 0n, 'inode')
    .u32(stat.mode, 'mode')
    .u32(stat.linkCount ?? 0, 'linkCount')
    .u32(stat.userId ?? 0, 'userId')
    .u32(stat.groupId ?? 0, 'groupId')
    .u64(toBigInt(stat.size, 'size'), 'size')
    .i64(toBigInt(stat.accessedAt ?? stat.modifiedAt, 'accessedAt'), 'accessedAt')
    .i64(toBigInt(stat.modifiedAt, 'modifiedAt'), 'modifiedAt')
    .i64(toBigInt(stat.changedAt ?? stat.modifiedAt, 'changedAt'), 'changedAt')
}

function toBigInt(value: number, field: string): bigint {
  if (!Number.isSafeInteger(value)) throw new WireError(`${field} ${value} is not an integer`)
  return BigInt(value)
}

function encodeSyncMessage(id: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return startMessage(id, 8 + bytes.length)
    .u32(bytes.length, `length of sync ${id}`)
    .bytes(bytes)
    .finish()
}

function encodeSyncNumber(id: string, number: number): Uint8Array<ArrayBuffer> {
  return startMessage(id, 8).u32(number, `number of sync ${id}`).finish()
}

function startMessage(id: string, messageBytes: number): ByteWriter {
  return new ByteWriter(messageBytes, 'little-endian').bytes(encodeUtf8(id))
}

/** The id and the u32 of the next message, still in the queue. */
export function peekSyncHead(queue: ByteQueue): { id: string; number: number } | undefined {
  const bytes = queue.peek(8)
  if (bytes === undefined) return undefined
  const reader = new ByteReader(bytes, 'little-endian')
  return { id: String.fromCharCode(...reader.bytes(4)), number: reader.u32() }
}

/** Takes head and body of a message whose length was peeked. Throws WireError as soon as the length is over the limit. */
export function takeSyncBody(queue: ByteQueue, length: number, maxBytes: number, what: string): Uint8Array | undefined {
  if (length > maxBytes) throw new WireError(`${what} of ${length} bytes is over the limit of ${maxBytes}`)
  return queue.take(8 + length)
}

function checkPath(path: Uint8Array): Uint8Array {
  if (path.length > syncMaxPathBytes) {
    throw new WireError(`sync path of ${path.length} bytes is over the limit of ${syncMaxPathBytes}`)
  }
  return path
}

function isPathRequest(id: string): id is keyof typeof pathRequests {
  return Object.hasOwn(pathRequests, id)
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}
