import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  encodeData,
  encodeDent,
  encodeDent2,
  encodeDirectoryEnd,
  encodeDone,
  encodeFail,
  encodeOkay,
  encodeStat,
  encodeStat2,
} from '@/server/wire/adb/sync'
import { SyncResponseParser, type SyncQuestion, type SyncResponse } from '@/server/wire/adb/sync-response'
import { chunkSizes, concatenate, fromHex, pushInChunks } from '@/server/wire/testing/push-in-chunks'

type Exchange = { question: SyncQuestion; bytes: Uint8Array; responses: SyncResponse[] }

const unsigned32 = fc.integer({ min: 0, max: 0xffff_ffff })
const time = fc.integer({ min: -(2 ** 40), max: 2 ** 40 })
const unsigned64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const wellFormed = { noNullPrototype: true }
const stats = fc.record({ mode: unsigned32, size: unsigned32, modifiedAt: unsigned32 }, wellFormed)
const stats2 = fc.record(
  {
    error: unsigned32,
    device: unsigned64,
    inode: unsigned64,
    mode: unsigned32,
    linkCount: unsigned32,
    userId: unsigned32,
    groupId: unsigned32,
    size: fc.maxSafeNat(),
    accessedAt: time,
    modifiedAt: time,
    changedAt: time,
  },
  wellFormed,
)
const name = fc.string({ unit: 'grapheme', maxLength: 20 })
const done: SyncResponse = { type: 'done' }

const exchanges: fc.Arbitrary<Exchange> = fc.oneof(
  stats.map((stat): Exchange => ({
    question: 'stat',
    bytes: encodeStat(stat),
    responses: [{ type: 'stat', ...stat }],
  })),
  fc.tuple(fc.constantFrom('stat2' as const, 'lstat2' as const), stats2).map(([question, stat]): Exchange => ({
    question,
    bytes: encodeStat2(stat, question),
    responses: [{ type: question, ...stat }],
  })),
  fc.array(fc.tuple(stats, name), { maxLength: 4 }).map((entries): Exchange => ({
    question: 'list',
    bytes: concatenate([...entries.map(([stat, text]) => encodeDent({ ...stat, name: text })), encodeDirectoryEnd()]),
    responses: [...entries.map(([stat, text]): SyncResponse => ({ type: 'entry', ...stat, name: text })), done],
  })),
  fc.array(fc.tuple(stats2, name), { maxLength: 4 }).map((entries): Exchange => ({
    question: 'list2',
    bytes: concatenate([
      ...entries.map(([stat, text]) => encodeDent2({ ...stat, name: text })),
      encodeDirectoryEnd('list2'),
    ]),
    responses: [...entries.map(([stat, text]): SyncResponse => ({ type: 'entry2', ...stat, name: text })), done],
  })),
  fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 4 }).map((parts): Exchange => ({
    question: 'recv',
    bytes: concatenate([...parts.map(encodeData), encodeDone()]),
    responses: [...parts.map((bytes): SyncResponse => ({ type: 'data', bytes })), done],
  })),
  fc.constant<Exchange>({ question: 'send', bytes: encodeOkay(), responses: [{ type: 'okay' }] }),
  fc
    .tuple(fc.constantFrom<SyncQuestion>('send', 'recv', 'stat', 'list2'), name)
    .map(([question, message]): Exchange => ({
      question,
      bytes: encodeFail(message),
      responses: [{ type: 'fail', message }],
    })),
)

test('reads the answers to a row of requests, in any pieces', () => {
  fc.assert(
    fc.property(fc.array(exchanges, { maxLength: 6 }), chunkSizes, (row, sizes) => {
      const parser = new SyncResponseParser()
      for (const { question } of row) parser.expect(question)
      const bytes = concatenate(row.map((exchange) => exchange.bytes))
      expect(pushInChunks(parser, bytes, sizes)).toEqual(row.flatMap((exchange) => exchange.responses))
      expect(parser.pendingBytes).toBe(0)
    }),
  )
})

describe('refuses', () => {
  test('an answer to no request', () => {
    expect(() => new SyncResponseParser().push(encodeOkay())).toThrow(/"OKAY" to no request/)
  })

  test.each<[string, SyncQuestion, Uint8Array, RegExp]>([
    ['an answer of another kind', 'stat', encodeOkay(), /stat is answered by "OKAY"/],
    ['done where nothing ends', 'send', encodeDone(), /send is answered by "DONE"/],
    ['data over 64 KiB', 'recv', fromHex('44415441 01000100'), /65537 bytes is over the limit/],
    ['a failure over 64 KiB', 'recv', fromHex('4641494c ffffffff'), /over the limit/],
    ['a name over 4 KiB', 'list', concatenate([fromHex('44454e54'), new Uint8Array(12), fromHex('01100000')]), /4097/],
    [
      'a size past 2^53',
      'stat2',
      concatenate([fromHex('53544132'), new Uint8Array(36), fromHex('ffffffffffffffff'), new Uint8Array(24)]),
      /size 18446744073709551615 is out of range/,
    ],
  ])('%s', (_, question, bytes, message) => {
    const parser = new SyncResponseParser()
    parser.expect(question)
    expect(() => parser.push(bytes)).toThrow(message)
  })
})
