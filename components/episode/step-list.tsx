'use client'

import { LoaderCircle } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { Fragment, useEffect, useRef } from 'react'
import { StatusBadge } from '@/components/ui/status-badge'
import type { FoldedEpisode, Turn } from '@/server/trajectory/contract'
import { StepRow } from './step-row'
import type { StepSelection } from './use-selected-step'

function TurnHeading({ turn }: { turn: Turn }) {
  const t = useTranslations('episode')
  const format = useFormatter()
  return (
    <div className="px-3.5 pt-2.5 pb-2 max-lg:px-4">
      <div className="cap num">
        {turn.by ?? t('user')} · {format.dateTime(turn.at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}
      </div>
      <p className="font-medium break-words">{turn.text}</p>
    </div>
  )
}

export function StepList({ episode, selection }: { episode: FoldedEpisode; selection: StepSelection }) {
  const t = useTranslations('episode')
  const list = useRef<HTMLOListElement>(null)
  const shown = selection.step?.number ?? 0
  useEffect(() => {
    list.current?.querySelector('[aria-current=step]')?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  return (
    <section aria-label={t('steps')} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-2 border-b px-3.5 max-lg:hidden">
        <h2 className="font-semibold">{t('steps')}</h2>
        <span className="cap num">{t('stepCount', { count: episode.steps.length })}</span>
      </div>
      <ol ref={list} className="min-h-0 flex-1 overflow-y-auto pb-3">
        {episode.turns.length === 0 ? (
          <li className="flex items-center gap-2 px-3.5 py-3 text-text2">
            <LoaderCircle aria-hidden className="size-4 animate-spin" />
            {t('preparing')}
          </li>
        ) : null}
        {episode.turns.map((turn, index) => (
          <Fragment key={turn.at}>
            <li>
              <TurnHeading turn={turn} />
            </li>
            {episode.steps
              .filter((step) => step.turn === index)
              .map((step) => (
                <StepRow
                  key={step.number}
                  step={step}
                  isSelected={step.number === shown}
                  isEnded={episode.finished !== null}
                  onSelect={() => selection.select(step.number)}
                />
              ))}
          </Fragment>
        ))}
        {episode.finished === null ? null : (
          <li className="flex flex-col gap-1 px-3.5 pt-3 max-lg:px-4" data-verdict>
            <StatusBadge status={episode.status} quiet />
            <p className="break-words text-text2">{episode.finished.verdict?.reason ?? episode.finished.reason}</p>
          </li>
        )}
      </ol>
    </section>
  )
}
