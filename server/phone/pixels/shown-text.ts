import { canDraw } from './fonts'

const plainText = /^[\x20-\x7e]*$/
const joiners = new Set([0x200c, 0x200d, 0xfe0e, 0xfe0f])
const invisible = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]$/u
const space = /^[\p{Zs}\t]$/u
const missing = '\u25a1'
const broken = '\ufffd'

/**
 * What is drawn for a text: characters that no shipped font has become a box and control characters vanish, so that
 * no machine's installed fonts decide widths or pixels.
 */
export function shownText(text: string): string {
  if (plainText.test(text)) return text
  let shown = ''
  for (const character of text) shown += shownCharacter(character)
  return shown
}

function shownCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0
  if (codePoint >= 0x20 && codePoint < 0x7f) return character
  if (joiners.has(codePoint)) return character
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return broken
  if (space.test(character)) return codePoint === 0x3000 ? character : ' '
  // The tags that spell the flags of England, Scotland and Wales are format characters of the emoji font.
  if (invisible.test(character) && !(codePoint >= 0xe0020 && codePoint <= 0xe007f)) return ''
  return canDraw(codePoint) ? character : missing
}
