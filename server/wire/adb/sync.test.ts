import {
  AdbSyncEntry2Response,
  AdbSyncEntryResponse,
  AdbSyncLstatResponse,
  AdbSyncNumberRequest,
  AdbSyncRequestId,
  AdbSyncStatResponse,
} from '@yume-chan/adb'
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
  encodeSyncRequest,
  SyncRequestParser,
  type SyncRequest,
} from '@/server/wire/adb/sync'
import { chunkSizes, concatenate, fromHex, pushInChunks } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

const unsigned32 = fc.integer({ min: 0, max: 0xffff_ffff })
const path = fc.string({ unit: 'grapheme', maxLength: 60 })
const wellFormed = { noNullPrototype: true }

const lookUps: fc.Arbitrary<SyncRequest[]> = fc
  .record({ type: fc.constantFrom('stat', 'stat2', 'lstat2', 'list', 'list2', 'recv'), path }, wellFormed)
  .map((request) => [request])
const transfers: fc.Arbitrary<SyncRequest[]> = fc
  .tuple(path, unsigned32, fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 4 }), unsigned32)
  .map(([target, mode, parts, modifiedAt]) => [
    { type: 'send', path: target, mode },
    ...parts.map((bytes): SyncRequest => ({ type: 'data', bytes })),
    { type: 'done', modifiedAt },
  ])
const sessions = fc
  .array(fc.oneof(lookUps, transfers), { maxLength: 8 })
  .map((requests): SyncRequest[] => [...requests.flat(), { type: 'quit' }])

describe('requests', () => {
  test('golden bytes of a push', () => {
    expect(encodeSyncRequest({ type: 'send', path: '/sdcard/a', mode: 0o100644 })).toEqual(
      concatenate([fromHex('53454e44 0f000000'), new TextEncoder().encode('/sdcard/a,33188')]),
    )
    expect(encodeSyncRequest({ type: 'data', bytes: Uint8Array.of(1, 2) })).toEqual(fromHex('44415441 02000000 0102'))
    expect(encodeSyncRequest({ type: 'done', modifiedAt: 0x01020304 })).toEqual(fromHex('444f4e45 04030201'))
    expect(encodeSyncRequest({ type: 'quit' })).toEqual(fromHex('51554954 00000000'))
  })

  test('equal Tango byte for byte', () => {
    const ids = {
      stat: AdbSyncRequestId.Lstat,
      stat2: AdbSyncRequestId.Stat,
      lstat2: AdbSyncRequestId.LstatV2,
      list: AdbSyncRequestId.List,
      list2: AdbSyncRequestId.ListV2,
      recv: AdbSyncRequestId.Receive,
    } as const
    for (const type of ['stat', 'stat2', 'lstat2', 'list', 'list2', 'recv'] as const) {
      const text = new TextEncoder().encode('/data/local/tmp/é')
      const theirs = AdbSyncNumberRequest.serialize({ id: ids[type], arg: text.length })
      expect(encodeSyncRequest({ type, path: '/data/local/tmp/é' })).toEqual(concatenate([theirs, text]))
    }
  })

  test('are read as written, in any pieces', () => {
    fc.assert(
      fc.property(sessions, chunkSizes, (requests, sizes) => {
        const parser = new SyncRequestParser()
        expect(pushInChunks(parser, concatenate(requests.map(encodeSyncRequest)), sizes)).toEqual(requests)
        expect(parser.pendingBytes).toBe(0)
      }),
    )
  })

  test.each([
    ['/a,b,33188', '/a,b', 0o100644],
    ['/a,0100644', '/a', 0o100644],
    ['/a,0x81a4', '/a', 0o100644],
  ])('the mode of %j is what follows the last comma, as strtoul reads it', (text, target, mode) => {
    const bytes = new TextEncoder().encode(text)
    const request = concatenate([fromHex('53454e44'), Uint8Array.of(bytes.length, 0, 0, 0), bytes])
    expect(new SyncRequestParser().push(request)).toEqual([{ type: 'send', path: target, mode }])
  })
})

describe('refuses', () => {
  const send = encodeSyncRequest({ type: 'send', path: '/a', mode: 0o100644 })

  test.each([
    ['an unknown request', fromHex('58585858 00000000'), /unknown sync request "XXXX"/],
    ['a path over 1 KiB', fromHex('53544154 01040000'), /1025 bytes is over the limit/],
    ['data over 64 KiB', concatenate([send, fromHex('44415441 01000100')]), /65537 bytes is over the limit/],
    ['data without a send', fromHex('44415441 00000000'), /"DATA" without a SEND/],
    ['done without a send', fromHex('444f4e45 00000000'), /"DONE" without a SEND/],
    ['another request inside a send', concatenate([send, fromHex('53544154 00000000')]), /followed by "STAT"/],
    ['a send without a mode', concatenate([fromHex('53454e44 02000000'), Uint8Array.of(47, 97)]), /end in a mode/],
    ['a prototype name as id', new TextEncoder().encode('toSt\0\0\0\0'), /unknown sync request/],
  ])('%s', (_, bytes, message) => {
    expect(() => new SyncRequestParser().push(bytes)).toThrow(message)
  })

  test('to write a path over 1 KiB or data over 64 KiB', () => {
    expect(() => encodeSyncRequest({ type: 'stat', path: '漢'.repeat(342) })).toThrow(WireError)
    expect(() => encodeData(new Uint8Array(65_537))).toThrow(WireError)
    expect(encodeData(new Uint8Array(65_536))).toHaveLength(65_544)
  })
})

describe('answers', () => {
  const stat = { mode: 0o100644, size: 5, modifiedAt: 1_700_000_000 }
  const stat2 = {
    ...stat,
    error: 0,
    device: 7n,
    inode: 0xffff_ffff_ffff_fff0n,
    linkCount: 1,
    userId: 2_000,
    groupId: 1_015,
    size: 5_000_000_000,
    accessedAt: 1_700_000_001,
    changedAt: 1_700_000_002,
  }
  const theirStat2 = {
    error: 0 as const,
    dev: 7n,
    ino: 0xffff_ffff_ffff_fff0n,
    mode: 0o100644,
    nlink: 1,
    uid: 2_000,
    gid: 1_015,
    size: 5_000_000_000n,
    atime: 1_700_000_001n,
    mtime: 1_700_000_000n,
    ctime: 1_700_000_002n,
  }
  const theirStat = { mode: stat.mode, size: stat.size, mtime: stat.modifiedAt }
  const id = (text: string): Uint8Array => new TextEncoder().encode(text)

  test('equal Tango byte for byte', () => {
    expect(encodeStat(stat)).toEqual(concatenate([id('STAT'), AdbSyncLstatResponse.serialize(theirStat)]))
    expect(encodeStat2(stat2)).toEqual(concatenate([id('STA2'), AdbSyncStatResponse.serialize(theirStat2)]))
    expect(encodeStat2(stat2, 'lstat2')).toEqual(concatenate([id('LST2'), AdbSyncStatResponse.serialize(theirStat2)]))
    expect(encodeDent({ ...stat, name: 'é.txt' })).toEqual(
      concatenate([id('DENT'), AdbSyncEntryResponse.serialize({ ...theirStat, name: 'é.txt' })]),
    )
    expect(encodeDent2({ ...stat2, name: 'é.txt' })).toEqual(
      concatenate([id('DNT2'), AdbSyncEntry2Response.serialize({ ...theirStat2, name: 'é.txt' })]),
    )
  })

  test('golden bytes of the ends', () => {
    expect(encodeDirectoryEnd()).toEqual(concatenate([id('DONE'), new Uint8Array(16)]))
    expect(encodeDirectoryEnd('list2')).toEqual(concatenate([id('DONE'), new Uint8Array(72)]))
    expect(encodeDone()).toEqual(fromHex('444f4e45 00000000'))
    expect(encodeOkay()).toEqual(fromHex('4f4b4159 00000000'))
    expect(encodeFail('no')).toEqual(fromHex('4641494c 02000000 6e6f'))
  })

  test('refuse a size that does not fit', () => {
    expect(() => encodeStat({ ...stat, size: 2 ** 32 })).toThrow(/^size/)
    expect(() => encodeStat2({ ...stat, size: 1.5 })).toThrow(/^size/)
  })
})
