const chunkBytes = 300

/** How a text is entered: scrcpy's text injection knows only the keys of a keyboard, so all else is pasted. */
export type TextInput = { way: 'inject'; chunks: string[] } | { way: 'paste'; text: string }

/** Printable ASCII is injected in pieces of at most 300 bytes, the most that scrcpy takes; any other text is pasted. */
export function textInputOf(text: string): TextInput {
  if (!/^[\x20-\x7e]+$/.test(text)) return { way: 'paste', text }
  const chunks: string[] = []
  for (let start = 0; start < text.length; start += chunkBytes) chunks.push(text.slice(start, start + chunkBytes))
  return { way: 'inject', chunks }
}
