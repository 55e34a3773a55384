/**
 * Text as the phone keeps it, by whichever door it came: line ends are `\n`, tabs are spaces, other control characters and
 * halves of surrogate pairs are left out (neither XML nor a screen can show them).
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]|\p{Surrogate}|[\uFFFE\uFFFF]/gu, '')
}
