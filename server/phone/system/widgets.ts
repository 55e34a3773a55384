import type { Colour, IconName, Semantics, TextStyle, UiAction, Widget } from '@/server/phone/ui/contract'
import { appBarHeight, colours } from './theme'

/** One line or a block of text. */
export function label(
  text: string,
  textStyle: TextStyle,
  more: Omit<Widget & { kind: 'text' }, 'kind' | 'text' | 'textStyle'> = {},
): Widget {
  return { kind: 'text', text, textStyle: { colour: colours.text, ...textStyle }, ...more }
}

/** A round touch target of 72 pixels (48 dp) around an icon. */
export function iconButton(
  icon: IconName,
  description: string,
  onTap: UiAction,
  options: { id?: string; colour?: Colour; isPressed?: boolean } = {},
): Widget {
  return {
    kind: 'box',
    ...(options.id === undefined ? {} : { id: options.id }),
    className: 'android.widget.ImageButton',
    description,
    onTap,
    style: {
      width: 72,
      height: 72,
      radius: 36,
      align: 'center',
      justify: 'center',
      shrink: 0,
      ...(options.isPressed ? { background: colours.quiet } : {}),
    },
    children: [{ kind: 'icon', icon, size: 34, colour: options.colour ?? colours.text }],
  }
}

/** The bar at the top of an app, with a hairline below. */
export function appBar(children: Widget[]): Widget {
  return {
    kind: 'box',
    key: 'app-bar',
    style: {
      direction: 'row',
      align: 'center',
      height: appBarHeight,
      shrink: 0,
      gap: 12,
      padding: [0, 12],
      background: colours.surface,
      hairline: { edge: 'bottom', colour: colours.hairline },
    },
    children,
  }
}

const avatarColours: readonly { background: Colour; text: Colour }[] = [
  { background: '#d9e6ff', text: '#2456b8' },
  { background: '#d8f0e4', text: '#0b6b4f' },
  { background: '#fbe3d3', text: '#9a4312' },
  { background: '#eadff8', text: '#63389f' },
  { background: '#fbe0ea', text: '#9c2556' },
  { background: '#e3e8ee', text: '#3f4a58' },
]

/** A circle with a person's initials, its colour fixed by the id. */
export function avatar(id: string, name: string, size: number): Widget {
  let sum = 0
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  const colour = avatarColours[sum % avatarColours.length] ?? { background: colours.quiet, text: colours.secondary }
  return {
    kind: 'box',
    style: {
      width: size,
      height: size,
      radius: size / 2,
      background: colour.background,
      align: 'center',
      justify: 'center',
      shrink: 0,
    },
    children: [label(initialsOf(name), { size: Math.round(size * 0.38), weight: 600, colour: colour.text })],
  }
}

/** Two Latin initials, or the first character of a name in another script. */
function initialsOf(name: string): string {
  const words = name.split(/[\s-]+/).filter((word) => /^\p{Script=Latin}/u.test(word))
  const letters = words.map((word) => Array.from(word)[0] ?? '')
  const initials = letters.length > 1 ? `${letters[0]}${letters[1]}` : (letters[0] ?? Array.from(name.trim())[0] ?? '?')
  return initials.toUpperCase()
}

/** A rounded search field with an icon and, when there is text, a button that clears it. */
export function searchField(
  field: { name: string; text: string; caret: number | null; hint: string },
  onClear: UiAction,
): Widget {
  return {
    kind: 'box',
    key: 'search-field',
    style: {
      direction: 'row',
      align: 'center',
      height: 68,
      shrink: 0,
      radius: 34,
      padding: [0, 4, 0, 24],
      gap: 14,
      background: colours.quiet,
    },
    children: [
      { kind: 'icon', icon: 'search', size: 30, colour: colours.secondary },
      {
        kind: 'input',
        id: 'search',
        field: field.name,
        focused: field.caret !== null,
        text: field.text,
        caret: field.caret,
        hint: field.hint,
        textStyle: { size: 24, lineHeight: 34, maxLines: 1, colour: colours.text },
        style: { grow: 1, shrink: 1, minWidth: 0, height: 68, justify: 'center', padding: [17, 0] },
      },
      ...(field.text === ''
        ? []
        : [iconButton('close', 'Clear search', onClear, { id: 'clear_search', colour: colours.secondary })]),
    ],
  }
}

/** What a list shows when it has no rows. */
export function emptyState(icon: IconName, title: string, text: string): Widget {
  return {
    kind: 'box',
    key: 'empty',
    style: { direction: 'column', align: 'center', padding: [120, 48, 0, 48], gap: 12 },
    children: [
      { kind: 'icon', icon, size: 64, colour: colours.faint },
      label(title, { size: 26, lineHeight: 34, weight: 600, align: 'center' }),
      label(text, { size: 22, lineHeight: 31, colour: colours.secondary, align: 'center' }),
    ],
  }
}

/** Whether the finger is on the widget of this action. */
export function isPressed(pressed: Semantics['onTap'] | null, action: UiAction): boolean {
  if (pressed === null || pressed === undefined) return false
  const keys = Object.keys(action)
  return keys.length === Object.keys(pressed).length && keys.every((key) => pressed[key] === action[key])
}
