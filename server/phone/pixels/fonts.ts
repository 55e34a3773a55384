import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { GlobalFonts } from '@napi-rs/canvas'
import type { TextStyle } from '@/server/phone/ui/contract'
import { readCharacterMap } from './character-map'

const require = createRequire(import.meta.url)

/**
 * The shipped fonts, in the order a character is looked for. Their names are our own, so that an installed font of the
 * same family never takes their place.
 */
const inter = 'Tapline Inter'
const interExtended = 'Tapline Inter Extended'
const han = 'Tapline Han'
const emoji = 'Tapline Emoji'
const families = [inter, interExtended, han, emoji].map((family) => `"${family}"`).join(', ')

const weights = [400, 500, 600] as const
const hanFile = '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'
const emojiFile = '@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff2'

let covers: ((codePoint: number) => boolean) | null = null

/** Registers the shipped fonts with the canvas; a second call does nothing. */
export function loadFonts(): void {
  coverage()
}

/** Whether a shipped font can draw this character. Any other would come from whatever the machine has installed. */
export function canDraw(codePoint: number): boolean {
  return coverage()(codePoint)
}

/** The CSS font of a text style. */
export function fontOf(textStyle: TextStyle): string {
  return `${textStyle.weight ?? 400} ${textStyle.size}px ${families}`
}

function coverage(): (codePoint: number) => boolean {
  if (covers !== null) return covers
  for (const weight of weights) {
    register(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`, inter)
    register(`@fontsource/inter/files/inter-latin-ext-${weight}-normal.woff2`, interExtended)
  }
  const hanCharacters = readCharacterMap(register(hanFile, han))
  register(emojiFile, emoji)
  const ranges = [
    ...rangesOf('@fontsource/inter/unicode.json', ['latin', 'latin-ext']),
    ...rangesOf('@fontsource/noto-emoji/unicode.json', null),
  ]
  covers = (codePoint) =>
    hanCharacters.has(codePoint) || ranges.some(([from, to]) => codePoint >= from && codePoint <= to)
  return covers
}

function register(file: string, family: string): Buffer {
  const bytes = readFileSync(require.resolve(file))
  if (GlobalFonts.register(bytes, family) === null) throw new Error(`The font ${file} could not be registered.`)
  return bytes
}

/** Code point ranges of a Fontsource package's subsets; `null` for all of them. */
function rangesOf(file: string, subsets: readonly string[] | null): [number, number][] {
  const bySubset = JSON.parse(readFileSync(require.resolve(file), 'utf8')) as Record<string, string>
  return Object.entries(bySubset)
    .filter(([subset]) => subsets === null || subsets.includes(subset))
    .flatMap(([, ranges]) => ranges.split(','))
    .map((range) => {
      const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    })
}
