'use client'

import { useTranslations } from 'next-intl'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { Segmented } from '@/components/ui/segmented'
import { useIsNarrow } from '@/components/ui/use-is-narrow'
import { EpisodeHeader } from './episode-header'
import { QuestionBar } from './question-bar'
import { Stage } from './stage'
import { StepDetails } from './step-details'
import { StepList } from './step-list'
import { Timeline } from './timeline'
import type { EpisodeLog } from './use-episode-log'
import { useSelectedStep } from './use-selected-step'
import { useShortcuts } from './use-shortcuts'

/** Sections of a narrow screen, one at a time. */
const views = ['phone', 'steps', 'details'] as const

type EpisodeViewProps = {
  episodeId: string
  log: EpisodeLog
  crumb: { href: string; label: string }
  /** The live picture of its device; null in a replay. */
  live: ReactNode
  /** Commands of the bar. */
  controls: ReactNode
  mayAnswer: boolean
}

/** An episode, running or complete: the same page, because a replay is a log that has stopped growing. */
export function EpisodeView({ episodeId, log, crumb, live, controls, mayAnswer }: EpisodeViewProps) {
  const t = useTranslations('episode')
  const { episode } = log
  const selection = useSelectedStep(episode)
  // Controls own keys, so they may be there only once.
  const isNarrow = useIsNarrow()
  const [view, setView] = useQueryState('view', parseAsStringLiteral(views).withDefault('phone'))
  useShortcuts({
    ArrowLeft: () => selection.move(-1),
    ArrowRight: () => selection.move(1),
    'Shift+ArrowLeft': () => selection.move(-5),
    'Shift+ArrowRight': () => selection.move(5),
    Home: () => selection.select(1),
    End: () => (episode.finished === null ? selection.follow() : selection.select(episode.steps.length)),
    Escape: selection.follow,
  })
  const column = (name: (typeof views)[number]) =>
    `min-h-0 min-w-0 flex-col lg:flex ${view === name ? 'flex flex-1' : 'max-lg:hidden'}`
  return (
    <main className="flex min-h-0 flex-1 flex-col" data-episode={episodeId}>
      <EpisodeHeader episode={episode} isConnected={log.isConnected} crumb={crumb}>
        {isNarrow ? null : controls}
      </EpisodeHeader>
      {episode.question === null ? null : (
        <QuestionBar
          key={episode.question.callId}
          episodeId={episodeId}
          question={episode.question}
          mayAnswer={mayAnswer}
        />
      )}
      <div className="flex shrink-0 justify-center border-b py-2 lg:hidden">
        <Segmented
          label={t('view.label')}
          value={view}
          options={views.map((value) => ({ value, label: t(`view.${value}`) }))}
          onChange={(value) => void setView(value)}
        />
      </div>
      <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[312px_minmax(280px,1fr)_minmax(300px,400px)] lg:divide-x">
        <div className={column('steps')}>
          <StepList episode={episode} selection={selection} />
        </div>
        <div className={column('phone')}>
          <Stage episode={episode} selection={selection} live={live} />
        </div>
        <div className={column('details')}>
          <StepDetails log={log} selection={selection} />
        </div>
      </div>
      <Timeline episode={episode} selection={selection} />
      {controls === null || !isNarrow ? null : (
        <div className="flex shrink-0 flex-wrap gap-2 border-t bg-s1 px-4 py-2">{controls}</div>
      )}
    </main>
  )
}
