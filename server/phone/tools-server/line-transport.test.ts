import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import type { ServiceStream } from '@/server/phone/adbd/service-stream'
import { LineTransport } from './line-transport'

/** A stream of the given chunks, and what is written to it. */
function streamOf(chunks: readonly string[]) {
  const waiting = chunks.map((chunk) => Buffer.from(chunk))
  const written: string[] = []
  const stream: ServiceStream = {
    queuedBytes: 0,
    signal: new AbortController().signal,
    read: () => Promise.resolve(waiting.shift() ?? null),
    write: async (bytes) => void written.push(Buffer.from(bytes).toString()),
    drained: () => Promise.resolve(),
    end: () => {},
  }
  return { stream, written }
}

async function receive(chunks: readonly string[]) {
  const { stream, written } = streamOf(chunks)
  const transport = new LineTransport(stream)
  const messages: JSONRPCMessage[] = []
  transport.onmessage = (message) => messages.push(message)
  await transport.start()
  await transport.finished
  return { messages, written }
}

const ping = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' })

test('lines may come in any pieces', async () => {
  const text = `${JSON.stringify(ping(1))}\n\n${JSON.stringify(ping(2))}\r\n`
  for (const size of [1, 7, 1_000]) {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    expect((await receive(pieces)).messages).toEqual([ping(1), ping(2)])
  }
})

test('a line over 1 MiB is refused and ends the connection', async () => {
  const outcome = await receive(['x'.repeat(700_000), 'x'.repeat(700_000), `\n${JSON.stringify(ping(1))}\n`])
  expect(outcome.messages).toEqual([])
  expect(outcome.written).toHaveLength(1)
  expect(outcome.written[0]).toContain('at most 1048576 bytes')
})
