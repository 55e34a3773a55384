import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteQueue } from '@/server/wire/byte-queue'

test('gives back the bytes in order, and views stay as they were', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ push: fc.uint8Array({ maxLength: 2_000 }) }),
      fc.record({ take: fc.integer({ min: 0, max: 2_500 }) }),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(steps, (operations) => {
      const queue = new ByteQueue()
      const pushed: number[] = []
      const views: { view: Uint8Array; expected: number[] }[] = []
      let read = 0
      for (const operation of operations) {
        if ('push' in operation) {
          queue.push(operation.push)
          pushed.push(...operation.push)
        } else {
          const view = queue.take(operation.take)
          expect(view === undefined).toBe(pushed.length - read < operation.take)
          if (view !== undefined) {
            views.push({ view, expected: pushed.slice(read, read + operation.take) })
            read += operation.take
          }
        }
        expect(queue.length).toBe(pushed.length - read)
      }
      for (const { view, expected } of views) expect([...view]).toEqual(expected)
    }),
  )
})

test('peek leaves the bytes unread', () => {
  const queue = new ByteQueue()
  queue.push(Uint8Array.of(1, 2))
  expect(queue.peek(3)).toBeUndefined()
  expect(queue.peek(2)).toEqual(Uint8Array.of(1, 2))
  expect(queue.take(2)).toEqual(Uint8Array.of(1, 2))
  expect(queue.peek(1)).toBeUndefined()
})
