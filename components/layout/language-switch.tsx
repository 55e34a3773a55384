'use client'

import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { localeCookie } from '@/i18n/locale'

export function LanguageSwitch() {
  const t = useTranslations('nav')
  const locale = useLocale()
  const router = useRouter()
  const next = locale === 'en' ? 'zh-CN' : 'en'
  return (
    <button
      type="button"
      title={t('language')}
      lang={next}
      onClick={() => {
        document.cookie = `${localeCookie}=${next}; path=/; max-age=31536000; samesite=lax`
        router.refresh()
      }}
      className="grid size-9 place-items-center rounded-md text-xs font-medium text-text2 hover:text-text max-lg:size-11"
    >
      <span aria-hidden>{next === 'en' ? 'EN' : '中'}</span>
      <span className="sr-only">{t('language')}</span>
    </button>
  )
}
