import type { IconName } from '@/server/phone/ui/contract'

/** A piece of an icon on a 24 x 24 grid: SVG path data, stroked with round ends or filled. */
export type IconPart = { path: string; isFilled?: boolean; strokeWidth?: number }

const dot = (x: number, y: number, radius: number): IconPart => ({
  path: `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`,
  isFilled: true,
})
const ring = (x: number, y: number, radius: number): IconPart => ({
  path: `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`,
})
const roundedBox = (x: number, y: number, width: number, height: number, radius: number): string =>
  `M${x + radius} ${y}h${width - 2 * radius}a${radius} ${radius} 0 0 1 ${radius} ${radius}v${height - 2 * radius}` +
  `a${radius} ${radius} 0 0 1 ${-radius} ${radius}h${2 * radius - width}a${radius} ${radius} 0 0 1 ${-radius} ${-radius}` +
  `v${2 * radius - height}a${radius} ${radius} 0 0 1 ${radius} ${-radius}z`

const gearTooth = (turns: number): string => {
  const angle = (turns * Math.PI) / 4
  const at = (radius: number): string =>
    `${(12 + radius * Math.cos(angle)).toFixed(2)} ${(12 + radius * Math.sin(angle)).toFixed(2)}`
  return `M${at(7)}L${at(9)}`
}

/** Every icon the phone draws. */
export const icons: Record<IconName, readonly IconPart[]> = {
  back: [{ path: 'M14.5 5.5L8 12l6.5 6.5' }],
  home: [ring(12, 12, 6.5)],
  recents: [{ path: roundedBox(6, 6, 12, 12, 2.5) }],
  send: [{ path: 'M12 19V5.5' }, { path: 'M6 11.5l6-6 6 6' }],
  search: [ring(10.5, 10.5, 6), { path: 'M15 15l5 5' }],
  close: [{ path: 'M6.5 6.5l11 11M17.5 6.5l-11 11' }],
  plus: [{ path: 'M12 5v14M5 12h14' }],
  check: [{ path: 'M5 12.5l4.8 4.8L19 7.5' }],
  'double-check': [{ path: 'M2 12.8l4.3 4.2L14.8 8' }, { path: 'M11.2 15.8l1.4 1.2L21.6 8' }],
  retry: [{ path: 'M19.5 12a7.5 7.5 0 1 1-2.4-5.5L19.5 8.8' }, { path: 'M19.5 4v4.8h-4.8' }],
  warning: [
    { path: 'M10.7 4.8L2.9 18a1.5 1.5 0 0 0 1.3 2.3h15.6a1.5 1.5 0 0 0 1.3-2.3L13.3 4.8a1.5 1.5 0 0 0-2.6 0z' },
    { path: 'M12 9.5v4.3' },
    dot(12, 17, 1.15),
  ],
  more: [dot(12, 5.5, 1.7), dot(12, 12, 1.7), dot(12, 18.5, 1.7)],
  shift: [{ path: 'M12 4.5L4.5 12.2H8.5V18.5h7V12.2h4z' }],
  backspace: [
    { path: 'M8.8 5.5H19.5a1.8 1.8 0 0 1 1.8 1.8v9.4a1.8 1.8 0 0 1-1.8 1.8H8.8L2.7 12z' },
    { path: 'M11.5 9.3l5.4 5.4M16.9 9.3l-5.4 5.4' },
  ],
  enter: [{ path: 'M19.5 5.5v5.2a2.5 2.5 0 0 1-2.5 2.5H5' }, { path: 'M9.2 8.8L4.8 13.2l4.4 4.4' }],
  globe: [ring(12, 12, 8.5), { path: 'M3.5 12h17' }, { path: 'M12 3.5c5 5 5 12 0 17c-5-5-5-12 0-17z' }],
  battery: [
    { path: roundedBox(3, 8, 16, 8.5, 2.2), strokeWidth: 1.6 },
    { path: roundedBox(5.2, 10.2, 9.8, 4.1, 0.9), isFilled: true },
    { path: 'M21.6 10.8v2.9', strokeWidth: 1.8 },
  ],
  signal: [
    {
      path: `${roundedBox(3.5, 14.5, 3.2, 5, 1)}${roundedBox(8.1, 11.5, 3.2, 8, 1)}${roundedBox(12.7, 8.3, 3.2, 11.2, 1)}${roundedBox(17.3, 5, 3.2, 14.5, 1)}`,
      isFilled: true,
    },
  ],
  wifi: [{ path: 'M3 9.6a13 13 0 0 1 18 0' }, { path: 'M6.3 13.2a8.2 8.2 0 0 1 11.4 0' }, dot(12, 17.6, 1.9)],
  airplane: [
    {
      path: 'M10.4 4.6a1.6 1.6 0 0 1 3.2 0V9.6L21 14v2.1l-7.4-2.3V18.3l2 1.5v1.6L12 20.4l-3.6 1v-1.6l2-1.5V13.8L3 16.1V14l7.4-4.4z',
      isFilled: true,
    },
  ],
  message: [
    {
      path: 'M6.2 4.8h11.6a2.7 2.7 0 0 1 2.7 2.7v6.8a2.7 2.7 0 0 1-2.7 2.7H10.5L6.3 20.3V17a2.7 2.7 0 0 1-2.8-2.7V7.5a2.7 2.7 0 0 1 2.7-2.7z',
    },
  ],
  phone: [
    {
      path: 'M7.3 4h2.1a1 1 0 0 1 1 .8l.8 3.4a1 1 0 0 1-.4 1L8.9 10.6a12 12 0 0 0 4.5 4.5l1.4-1.9a1 1 0 0 1 1-.4l3.4.8a1 1 0 0 1 .8 1v2.1A3.3 3.3 0 0 1 16.7 20 12.7 12.7 0 0 1 4 7.3 3.3 3.3 0 0 1 7.3 4z',
    },
  ],
  clock: [ring(12, 12, 8.3), { path: 'M12 7.3V12l3.2 2' }],
  settings: [
    ring(12, 12, 6),
    ring(12, 12, 2.5),
    { path: Array.from({ length: 8 }, (_, index) => gearTooth(index)).join(''), strokeWidth: 2.6 },
  ],
  calendar: [{ path: roundedBox(4, 5.5, 16, 15, 2.5) }, { path: 'M4 10.5h16M8.3 3v4.5M15.7 3v4.5' }],
  notes: [
    { path: 'M14 3.8H7.5A2.5 2.5 0 0 0 5 6.3v11.4a2.5 2.5 0 0 0 2.5 2.5h9a2.5 2.5 0 0 0 2.5-2.5V8.8z' },
    { path: 'M13.8 4v5h5' },
    { path: 'M8.5 13h7M8.5 16.5h4.5' },
  ],
  person: [ring(12, 8.3, 3.8), { path: 'M4.7 20a7.3 6.2 0 0 1 14.6 0' }],
  'hide-keyboard': [
    { path: roundedBox(3.5, 4, 17, 11, 2.2) },
    { path: 'M7 8h.01M10.3 8h.01M13.7 8h.01M17 8h.01M9 11.5h6' },
    { path: 'M9 18.5l3 2.5 3-2.5' },
  ],
}
