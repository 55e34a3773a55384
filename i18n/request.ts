import { cookies, headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { chooseLocale, localeCookie } from './locale'

export default getRequestConfig(async () => {
  const locale = chooseLocale((await cookies()).get(localeCookie)?.value, (await headers()).get('accept-language'))
  const catalogue = (await import(`../messages/${locale}.json`)) as { default: Record<string, never> }
  return { locale, messages: catalogue.default, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
})
