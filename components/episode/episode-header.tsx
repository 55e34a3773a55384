'use client'

import Link from 'next/link'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { TopBar } from '@/components/layout/top-bar'
import { Chip } from '@/components/ui/chip'
import { Elapsed } from '@/components/ui/elapsed'
import { formatCost } from '@/components/ui/format'
import { StatusBadge } from '@/components/ui/status-badge'
import type { FoldedEpisode } from '@/server/trajectory/contract'

type EpisodeHeaderProps = {
  episode: FoldedEpisode
  isConnected: boolean
  crumb: { href: string; label: string }
  children?: ReactNode
}

export function EpisodeHeader({ episode, isConnected, crumb, children }: EpisodeHeaderProps) {
  const t = useTranslations('episode')
  const { started } = episode
  return (
    <TopBar>
      <Link href={crumb.href} className="text-text2 hover:text-text">
        {crumb.label}
      </Link>
      <span aria-hidden className="text-text2">
        /
      </span>
      <h1 className="min-w-0 truncate text-sm font-semibold max-lg:max-w-[60vw]">
        {started?.task.title ?? t('preparing')}
      </h1>
      <StatusBadge status={episode.status} />
      <span className="cap num">
        {started === null ? null : t('stepBudget', { number: episode.steps.length, budget: started.budget.steps })}
        {episode.startedAt === null ? null : (
          <>
            {' · '}
            <Elapsed since={episode.startedAt} until={episode.finished?.at ?? null} />
          </>
        )}
        {' · '}
        {formatCost(episode.totals.costMicroUsd)}
      </span>
      {isConnected ? null : <span className="appear-late text-xs text-wait">{t('reconnecting')}</span>}
      <span className="flex-1" />
      {started === null ? null : (
        <span className="flex items-center gap-2 max-xl:hidden">
          <Chip>
            {t(started.agent.isModel ? `planner.${started.agent.planner}` : 'notAModel', {
              planner: t(`planner.${started.agent.planner}`),
            })}
          </Chip>
          <Chip>{t('seed', { seed: started.task.seed })}</Chip>
          {started.device === null ? null : <Chip>{started.device.name}</Chip>}
        </span>
      )}
      <span className="flex items-center gap-2">{children}</span>
    </TopBar>
  )
}
