import { expect, test } from 'vitest'
import { StreamParser } from '@/server/wire/stream-parser'
import { WireError } from '@/server/wire/wire-error'

/** One message is two bytes; a first byte of 9 is broken. */
function createParser(): StreamParser<number> {
  return new StreamParser((queue) => {
    if (queue.peek(1)?.[0] === 9) throw new WireError('nine')
    return queue.take(2)?.[1]
  })
}

test('waits for the rest of a message', () => {
  const parser = createParser()
  expect(parser.push(Uint8Array.of(1, 2, 3))).toEqual([2])
  expect(parser.pendingBytes).toBe(1)
  expect(parser.push(new Uint8Array(0))).toEqual([])
  expect(parser.push(Uint8Array.of(4))).toEqual([4])
  expect(parser.pendingBytes).toBe(0)
})

test('stays broken after a broken message', () => {
  const parser = createParser()
  expect(() => parser.push(Uint8Array.of(9))).toThrow('nine')
  expect(() => parser.push(Uint8Array.of(1, 2))).toThrow('nine')
})
