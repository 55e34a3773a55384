'use client'

import { Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useTranslations } from 'next-intl'

export function ThemeSwitch() {
  const t = useTranslations('nav')
  const { resolvedTheme, setTheme } = useTheme()
  return (
    <button
      type="button"
      title={t('theme')}
      aria-label={t('theme')}
      onClick={() => setTheme(resolvedTheme === 'dark' ? 'light' : 'dark')}
      className="grid size-9 place-items-center rounded-md text-text2 hover:text-text max-lg:size-11"
    >
      {/* Which of the two shows is CSS, so that the server's page needs no theme. */}
      <Sun aria-hidden className="hidden size-4 dark:block" strokeWidth={1.6} />
      <Moon aria-hidden className="size-4 dark:hidden" strokeWidth={1.6} />
    </button>
  )
}
