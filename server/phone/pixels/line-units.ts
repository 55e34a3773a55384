/** A piece of text no line may break inside, with the spaces after it. Offsets are UTF-16. */
export type LineUnit = {
  start: number
  end: number
  /** End with the spaces that follow; they may hang over the edge of a line. */
  spaceEnd: number
  endsLine: boolean
}

/** Scripts written without spaces: a line may break between any two of these. */
const ideographic =
  /[\u2e80-\u303f\u3040-\u30ff\u3100-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\uffe0-\uffe6\p{Extended_Pictographic}\p{Regional_Indicator}]|[\u{20000}-\u{3ffff}]/u
/** May not begin a line. */
const closing = new Set(
  '，。、！？：；）］｝」』】》〉〕’”…‥・ー～,.!?:;)]}%％‰℃°々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ\u3000',
)
/** May not end a line. */
const opening = new Set('（［｛「『【《〈〔‘“([{￥$€£')
const breaksAfter = /[\u00ad\u2010\u2013\u2014/-]/
const letter = /\p{L}/u
const spaces = /^[ \t\u2000-\u200a\u205f]+$/

/** Text of which every UTF-16 unit stands alone: no marks, joiners or surrogates. */
const simple =
  /^[\n\x20-\u02ff\u2010-\u2027\u2030-\u205e\u3000-\u3029\u3030-\u3098\u309b-\u30ff\u4e00-\u9fff\uff00-\uffef]*$/
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters as a reader counts them. */
export function graphemesOf(text: string): string[] {
  if (simple.test(text)) return text.split('')
  return Array.from(segmenter.segment(text), (part) => part.segment)
}

/** Cuts a text where its lines may break. */
export function lineUnits(text: string): LineUnit[] {
  const units: LineUnit[] = []
  let unit: LineUnit = { start: 0, end: 0, spaceEnd: 0, endsLine: false }
  let before = ''
  let offset = 0
  const begin = (): void => {
    if (unit.spaceEnd > unit.start) units.push(unit)
    unit = { start: offset, end: offset, spaceEnd: offset, endsLine: false }
  }
  for (const grapheme of graphemesOf(text)) {
    const next = offset + grapheme.length
    if (grapheme === '\n' || grapheme === '\r\n') {
      units.push({ ...unit, spaceEnd: next, endsLine: true })
      unit = { start: next, end: next, spaceEnd: next, endsLine: false }
      before = ''
    } else if (spaces.test(grapheme)) {
      unit.spaceEnd = next
    } else {
      const followsSpace = unit.spaceEnd > unit.end
      if (followsSpace || (before !== '' && mayBreak(before, grapheme))) begin()
      unit.end = next
      unit.spaceEnd = next
      before = grapheme
    }
    offset = next
  }
  units.push(unit)
  return units
}

function mayBreak(before: string, after: string): boolean {
  if (closing.has(after) || opening.has(before)) return false
  return ideographic.test(before) || ideographic.test(after) || (breaksAfter.test(before) && letter.test(after))
}
