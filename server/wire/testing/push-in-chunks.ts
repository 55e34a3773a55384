import fc from 'fast-check'

/** Sizes of the pieces in which a stream arrives; they are used in turn. */
export const chunkSizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })

/** Pushes `bytes` piece by piece, each piece in memory of its own, and returns all messages. */
export function pushInChunks<Message>(
  parser: { push(chunk: Uint8Array): Message[] },
  bytes: Uint8Array,
  sizes: readonly number[],
): Message[] {
  const messages: Message[] = []
  let position = 0
  for (let index = 0; position < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1
    messages.push(...parser.push(bytes.slice(position, position + size)))
    position += size
  }
  return messages
}

/** Joins byte arrays. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

/** The bytes of hexadecimal digits; blanks are ignored. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  const pairs = digits.replaceAll(/\s/g, '').match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}
