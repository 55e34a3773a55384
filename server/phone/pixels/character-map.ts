/**
 * The characters a TrueType or OpenType font has a glyph for: its `cmap` subtable of format 12 or 4.
 * Source: OpenType 1.9, "cmap - Character to glyph index mapping table".
 * Throws a RangeError when the bytes are cut, an Error when there is no such subtable.
 */
export function readCharacterMap(bytes: Buffer): Set<number> {
  const cmap = tableOffset(bytes, 'cmap')
  const subtables = Array.from({ length: bytes.readUInt16BE(cmap + 2) }, (_, index) => {
    const offset = cmap + bytes.readUInt32BE(cmap + 4 + 8 * index + 4)
    return { offset, format: bytes.readUInt16BE(offset) }
  })
  const full = subtables.find((subtable) => subtable.format === 12)
  if (full !== undefined) return readFormat12(bytes, full.offset)
  const basic = subtables.find((subtable) => subtable.format === 4)
  if (basic !== undefined) return readFormat4(bytes, basic.offset)
  throw new Error('The font has no character map of format 4 or 12.')
}

function tableOffset(bytes: Buffer, tag: string): number {
  const count = bytes.readUInt16BE(4)
  for (let index = 0; index < count; index++) {
    const record = 12 + 16 * index
    if (bytes.toString('latin1', record, record + 4) === tag) return bytes.readUInt32BE(record + 8)
  }
  throw new Error(`The font has no ${tag} table.`)
}

function readFormat12(bytes: Buffer, offset: number): Set<number> {
  const characters = new Set<number>()
  const groups = bytes.readUInt32BE(offset + 12)
  for (let index = 0; index < groups; index++) {
    const group = offset + 16 + 12 * index
    addRange(characters, bytes.readUInt32BE(group), bytes.readUInt32BE(group + 4))
  }
  return characters
}

function readFormat4(bytes: Buffer, offset: number): Set<number> {
  const characters = new Set<number>()
  const doubledSegments = bytes.readUInt16BE(offset + 6)
  const ends = offset + 14
  const starts = ends + doubledSegments + 2
  for (let index = 0; index < doubledSegments; index += 2) {
    addRange(characters, bytes.readUInt16BE(starts + index), Math.min(bytes.readUInt16BE(ends + index), 0xfffe))
  }
  return characters
}

function addRange(characters: Set<number>, from: number, to: number): void {
  for (let character = from; character <= Math.min(to, 0x10ffff); character++) characters.add(character)
}
