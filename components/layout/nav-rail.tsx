'use client'

import { Activity, List, Smartphone } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { LanguageSwitch } from './language-switch'
import { ThemeSwitch } from './theme-switch'

const places = [
  { href: '/live', key: 'live', Icon: Smartphone },
  { href: '/episodes', key: 'episodes', Icon: List },
] as const

export function NavRail() {
  const t = useTranslations('nav')
  const path = usePathname()
  // A replay on a narrow screen needs the room; its heading leads back to the list.
  const isReplay = /^\/episodes\/./.test(path)
  return (
    <nav
      aria-label={t('label')}
      className={`flex shrink-0 gap-0.5 border-border bg-s1 max-lg:order-last max-lg:h-12 max-lg:items-center max-lg:justify-around max-lg:border-t lg:w-[52px] lg:flex-col lg:border-r lg:px-2 lg:py-2.5 ${isReplay ? 'max-lg:hidden' : ''}`}
    >
      <Link href="/" aria-label={t('home')} className="mb-2 grid size-9 place-items-center rounded-md max-lg:hidden">
        <Activity aria-hidden className="size-5" strokeWidth={1.8} />
      </Link>
      {places.map(({ href, key, Icon }) => {
        const isHere = path.startsWith(href)
        return (
          <Link
            key={key}
            href={href}
            title={t(key)}
            aria-current={isHere ? 'page' : undefined}
            className="flex h-9 items-center justify-center gap-2 rounded-md px-2 text-text2 hover:text-text aria-[current=page]:bg-s2 aria-[current=page]:text-text max-lg:h-11"
          >
            <Icon aria-hidden className="size-4" strokeWidth={1.6} />
            <span className="lg:sr-only">{t(key)}</span>
          </Link>
        )
      })}
      <span className="lg:flex-1" />
      <LanguageSwitch />
      <ThemeSwitch />
    </nav>
  )
}
