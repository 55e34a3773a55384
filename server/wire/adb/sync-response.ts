import type { ByteQueue } from '@/server/wire/byte-queue'
import { ByteReader } from '@/server/wire/byte-reader'
import { StreamParser } from '@/server/wire/stream-parser'
import { WireError } from '@/server/wire/wire-error'
import { peekSyncHead, syncMaxDataBytes, takeSyncBody, type SyncStat, type SyncStat2 } from '@/server/wire/adb/sync'

export type SyncResponse =
  /** Answer to stat; a missing file has mode 0. */
  | ({ type: 'stat' } & SyncStat)
  | ({ type: 'stat2' | 'lstat2' } & SyncStat2)
  | ({ type: 'entry'; name: string } & SyncStat)
  | ({ type: 'entry2'; name: string } & SyncStat2)
  /** Answer to recv: a part of the file. */
  | { type: 'data'; bytes: Uint8Array }
  /** The end of a list or of a received file. */
  | { type: 'done' }
  /** The sent file is stored. */
  | { type: 'okay' }
  | { type: 'fail'; message: string }

/** What a host has asked and now waits for. */
export type SyncQuestion = 'stat' | 'stat2' | 'lstat2' | 'list' | 'list2' | 'recv' | 'send'

const maxNameBytes = 4_096
/** Head and fixed fields of each answer. DONE has the size of what it ends, so it can't be read without the question. */
const answers = {
  stat: { id: 'STAT', bytes: 16 },
  stat2: { id: 'STA2', bytes: 72 },
  lstat2: { id: 'LST2', bytes: 72 },
  list: { id: 'DENT', bytes: 20 },
  list2: { id: 'DNT2', bytes: 76 },
  recv: { id: 'DATA', bytes: 8 },
  send: { id: 'OKAY', bytes: 8 },
} as const

/**
 * Reads the answers of a device on the host's side. Call `expect` for each request before its answer arrives. Throws
 * WireError on an answer to no question or of another kind, data over 64 KiB, a name over 4 KiB or a number past 2^53.
 */
export class SyncResponseParser extends StreamParser<SyncResponse> {
  readonly #questions: SyncQuestion[]

  constructor() {
    const questions: SyncQuestion[] = []
    super((queue) => {
      const response = readResponse(queue, questions[0])
      if (response !== undefined && !['entry', 'entry2', 'data'].includes(response.type)) questions.shift()
      return response
    })
    this.#questions = questions
  }

  expect(question: SyncQuestion): void {
    this.#questions.push(question)
  }
}

function readResponse(queue: ByteQueue, question: SyncQuestion | undefined): SyncResponse | undefined {
  const head = peekSyncHead(queue)
  if (head === undefined) return undefined
  const { id, number } = head
  if (question === undefined) throw new WireError(`sync answer ${JSON.stringify(id)} to no request`)
  if (id === 'FAIL') {
    const bytes = takeSyncBody(queue, number, syncMaxDataBytes, 'sync FAIL')
    return bytes && { type: 'fail', message: new ByteReader(bytes.subarray(8), 'little-endian').utf8(number) }
  }
  const answer = answers[question]
  if (id === 'DONE' && (question === 'list' || question === 'list2' || question === 'recv')) {
    return queue.take(answer.bytes) && { type: 'done' }
  }
  if (id !== answer.id) throw new WireError(`sync ${question} is answered by ${JSON.stringify(id)}`)
  switch (question) {
    case 'stat':
      return withFields(queue, answer.bytes, (reader) => ({ type: question, ...readStat(reader) }))
    case 'stat2':
    case 'lstat2':
      return withFields(queue, answer.bytes, (reader) => ({ type: question, ...readStat2(reader) }))
    case 'list':
      return withName(queue, answer.bytes, (reader, name) => ({ type: 'entry', ...readStat(reader), name }))
    case 'list2':
      return withName(queue, answer.bytes, (reader, name) => ({ type: 'entry2', ...readStat2(reader), name }))
    case 'recv': {
      const bytes = takeSyncBody(queue, number, syncMaxDataBytes, 'sync DATA')
      return bytes && { type: 'data', bytes: bytes.subarray(8) }
    }
    case 'send':
      return takeSyncBody(queue, number, 0, 'sync OKAY') && { type: 'okay' }
    default:
      throw new WireError(`unknown sync question ${String(question satisfies never)}`)
  }
}

function readStat(reader: ByteReader): SyncStat {
  return { mode: reader.u32(), size: reader.u32(), modifiedAt: reader.u32() }
}

function readStat2(reader: ByteReader): SyncStat2 {
  return {
    error: reader.u32(),
    device: reader.u64(),
    inode: reader.u64(),
    mode: reader.u32(),
    linkCount: reader.u32(),
    userId: reader.u32(),
    groupId: reader.u32(),
    size: toNumber(reader.u64(), 'size'),
    accessedAt: toNumber(reader.i64(), 'access time'),
    modifiedAt: toNumber(reader.i64(), 'modification time'),
    changedAt: toNumber(reader.i64(), 'change time'),
  }
}

function toNumber(value: bigint, what: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new WireError(`sync ${what} ${value} is out of range`)
  return number
}

function withFields(
  queue: ByteQueue,
  count: number,
  read: (reader: ByteReader) => SyncResponse,
): SyncResponse | undefined {
  const bytes = queue.take(count)
  return bytes && read(new ByteReader(bytes.subarray(4), 'little-endian'))
}

/** The last of the fixed fields is the length of the name that follows them. */
function withName(
  queue: ByteQueue,
  count: number,
  read: (reader: ByteReader, name: string) => SyncResponse,
): SyncResponse | undefined {
  const head = queue.peek(count)
  if (head === undefined) return undefined
  const nameBytes = new ByteReader(head.subarray(count - 4), 'little-endian').u32()
  if (nameBytes > maxNameBytes) {
    throw new WireError(`sync entry name of ${nameBytes} bytes is over the limit of ${maxNameBytes}`)
  }
  const bytes = queue.take(count + nameBytes)
  if (bytes === undefined) return undefined
  const name = new ByteReader(bytes.subarray(count), 'little-endian').utf8(nameBytes)
  return read(new ByteReader(bytes.subarray(4), 'little-endian'), name)
}
