/** The phone's time zone is fixed, UTC+08:00 without summer time, so that a screen is the same everywhere. */
const utcOffsetMs = 8 * 3_600_000

const dayMs = 86_400_000
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** Epoch milliseconds of a local date and time; `month` counts from 1. */
export function localTime(year: number, month: number, day: number, hour: number, minute: number): number {
  return Date.UTC(year, month - 1, day, hour, minute) - utcOffsetMs
}

/** Days since 1 January 1970, local. */
export function localDay(at: number): number {
  return Math.floor((at + utcOffsetMs) / dayMs)
}

/** `18:02` */
export function formatTime(at: number): string {
  return new Date(at + utcOffsetMs).toISOString().slice(11, 16)
}

/** `Monday 30 November` */
export function formatDate(at: number): string {
  const local = new Date(at + utcOffsetMs)
  return `${weekdays[local.getUTCDay()]} ${local.getUTCDate()} ${months[local.getUTCMonth()]}`
}

/** As short as a list needs: `18:02` today, `Yesterday`, `Thu` within a week, else `12 Nov`. */
export function formatListTime(at: number, now: number): string {
  const local = new Date(at + utcOffsetMs)
  const daysAgo = localDay(now) - localDay(at)
  if (daysAgo === 0) return formatTime(at)
  if (daysAgo === 1) return 'Yesterday'
  if (daysAgo > 1 && daysAgo < 7) return weekdays[local.getUTCDay()]?.slice(0, 3) ?? ''
  return `${local.getUTCDate()} ${months[local.getUTCMonth()]?.slice(0, 3)}`
}

/** Heading of a day in a conversation: `Today`, `Yesterday`, `Thursday` within a week, else the date. */
export function formatDay(at: number, now: number): string {
  const daysAgo = localDay(now) - localDay(at)
  if (daysAgo === 0) return 'Today'
  if (daysAgo === 1) return 'Yesterday'
  const local = new Date(at + utcOffsetMs)
  if (daysAgo > 1 && daysAgo < 7) return weekdays[local.getUTCDay()] ?? ''
  return formatDate(at)
}

/** `2026-11-30T18:02:00+08:00`, for tools. */
export function formatIso(at: number): string {
  return `${new Date(at + utcOffsetMs).toISOString().slice(0, 19)}+08:00`
}
