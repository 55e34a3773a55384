/** Android's KeyEvent constants by the name after `KEYCODE_` (android.view.KeyEvent). */
const named: Record<string, number> = {
  HOME: 3,
  BACK: 4,
  CALL: 5,
  ENDCALL: 6,
  STAR: 17,
  POUND: 18,
  DPAD_UP: 19,
  DPAD_DOWN: 20,
  DPAD_LEFT: 21,
  DPAD_RIGHT: 22,
  DPAD_CENTER: 23,
  VOLUME_UP: 24,
  VOLUME_DOWN: 25,
  POWER: 26,
  CLEAR: 28,
  COMMA: 55,
  PERIOD: 56,
  TAB: 61,
  SPACE: 62,
  ENTER: 66,
  DEL: 67,
  GRAVE: 68,
  MINUS: 69,
  EQUALS: 70,
  LEFT_BRACKET: 71,
  RIGHT_BRACKET: 72,
  BACKSLASH: 73,
  SEMICOLON: 74,
  APOSTROPHE: 75,
  SLASH: 76,
  AT: 77,
  PLUS: 81,
  MENU: 82,
  NOTIFICATION: 83,
  SEARCH: 84,
  PAGE_UP: 92,
  PAGE_DOWN: 93,
  ESCAPE: 111,
  FORWARD_DEL: 112,
  MOVE_HOME: 122,
  MOVE_END: 123,
  NUMPAD_ENTER: 160,
  APP_SWITCH: 187,
  SLEEP: 223,
  WAKEUP: 224,
  CUT: 277,
  COPY: 278,
  PASTE: 279,
}

/** The key code of a number or a name, with or without `KEYCODE_`; null when there is no such key. */
export function keycodeOf(text: string): number | null {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  const name = text.toUpperCase().replace(/^KEYCODE_/, '')
  if (/^[A-Z]$/.test(name)) return 29 + name.charCodeAt(0) - 65
  if (/^[0-9]$/.test(name)) return 7 + Number(name)
  return Object.hasOwn(named, name) ? (named[name] ?? null) : null
}
