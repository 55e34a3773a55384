export const locales = ['en', 'zh-CN'] as const
export type Locale = (typeof locales)[number]
export const localeCookie = 'tapline_locale'

/** The language of a request: the cookie's, else the first supported one the browser asks for, else English. */
export function chooseLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  if (locales.some((locale) => locale === cookie)) return cookie as Locale
  const wanted = (acceptLanguage ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '')
  for (const language of wanted) {
    if (language.startsWith('zh')) return 'zh-CN'
    if (language.startsWith('en')) return 'en'
  }
  return 'en'
}
