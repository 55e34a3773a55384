import type { Colour } from '@/server/phone/ui/contract'

/** The phone's own light look; device pixels of a 540 x 1200 screen. */
export const colours = {
  surface: '#fbfbfc',
  quiet: '#eef0f4',
  pressed: '#dfe3ea',
  hairline: '#e8eaee',
  text: '#15181c',
  secondary: '#5b6472',
  faint: '#8a93a1',
  accent: '#2563eb',
  accentPressed: '#1d4fc4',
  accentSoft: '#dbe6ff',
  onAccent: '#ffffff',
  onAccentQuiet: '#b9c4d6',
  failure: '#c22b2b',
  keyboard: '#e4e7ec',
  key: '#ffffff',
  keyQuiet: '#cfd4dc',
  toast: '#22272e',
} as const satisfies Record<string, Colour>

export const statusBarHeight = 48
export const navigationBarHeight = 48
export const keyboardHeight = 356
export const appBarHeight = 88

/** Packages of what is not an app. */
export const launcherPackage = 'com.tapline.launcher'
export const systemPackage = 'com.android.systemui'
export const keyboardPackage = 'com.tapline.keyboard'
