'use client'

import { useTranslations } from 'next-intl'
import { formatDuration } from '@/components/ui/format'
import type { FoldedEpisode, Step } from '@/server/trajectory/contract'
import type { StepSelection } from './use-selected-step'

/** CSS pixels of a step's column. */
const widestColumn = 112
const narrowestColumn = 24

function TimelineColumn({ step, isSelected, onSelect }: { step: Step; isSelected: boolean; onSelect: () => void }) {
  const screen = (step.after ?? step.before)?.screen
  const hasFailed = step.calls.some((call) => call.result?.ok === false)
  const isAsked = step.calls.some((call) => call.question !== null)
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={onSelect}
      data-selected={isSelected}
      className="group flex min-w-0 flex-1 flex-col items-center gap-1"
    >
      <span className="h-[42px] w-[19px] overflow-hidden rounded-[3px] border bg-s2 opacity-60 group-hover:opacity-100 group-data-[selected=true]:opacity-100 group-data-[selected=true]:outline-2 group-data-[selected=true]:outline-offset-1 group-data-[selected=true]:outline-accent">
        {screen == null ? null : (
          // eslint-disable-next-line @next/next/no-img-element
          <img
            src={`/api/artefacts/${screen}`}
            alt=""
            loading="lazy"
            className="size-full object-cover"
            draggable={false}
          />
        )}
      </span>
      <span className="flex h-3 w-full items-center px-0.5 max-lg:hidden">
        <span className={`h-3 w-full rounded-[3px] ${step.reasoning === null ? '' : 'bg-[var(--lane-planner)]'}`} />
      </span>
      <span className="flex h-3 items-center gap-0.5 max-lg:hidden">
        {step.calls.map((call) => (
          <span
            key={call.callId}
            className={`h-3 w-[3px] rounded-sm ${call.result?.ok === false ? 'bg-fail' : 'bg-[var(--lane-tool)]'}`}
          />
        ))}
      </span>
      <span className="flex h-3 w-full items-center px-0.5 max-lg:hidden">
        <span className={`h-3 w-full rounded-[3px] ${isAsked ? 'bg-[var(--lane-human)]' : ''}`} />
      </span>
      {/* Narrow screens have no lanes: one line says what the lanes would. */}
      <span className={`h-[3px] w-[19px] lg:hidden ${hasFailed ? 'bg-fail' : isAsked ? 'bg-human' : ''}`} />
    </button>
  )
}

function LaneName({ children }: { children: string }) {
  return <span className="cap flex h-3 items-center">{children}</span>
}

/** A film strip with the planner's, the tools' and the people's part in every step, and a scrubber over it. */
export function Timeline({ episode, selection }: { episode: FoldedEpisode; selection: StepSelection }) {
  const t = useTranslations('episode')
  const { step } = selection
  const count = episode.steps.length
  if (count === 0 || step === null || episode.startedAt === null) return null
  const last = episode.steps.at(-1)
  const endAt = episode.finished?.at ?? last?.endedAt ?? last?.startedAt ?? episode.startedAt
  return (
    <section aria-label={t('timeline')} className="shrink-0 border-t">
      <div className="flex h-[34px] items-center gap-3 px-3.5 max-lg:hidden">
        <span className="num">{formatDuration((step.endedAt ?? step.startedAt) - episode.startedAt)}</span>
        <span className="num text-text2">/ {formatDuration(endAt - episode.startedAt)}</span>
        <span className="flex-1" />
        <span className="cap">{t('keys')}</span>
      </div>
      <div className="flex px-3.5 pb-2 max-lg:pt-2">
        <div aria-hidden className="flex w-24 shrink-0 flex-col gap-1 pt-4 max-lg:hidden">
          <span className="cap flex h-[42px] items-center">{t('lane.screen')}</span>
          <LaneName>{t('lane.planner')}</LaneName>
          <LaneName>{t('lane.tools')}</LaneName>
          <LaneName>{t('lane.people')}</LaneName>
        </div>
        <div className="min-w-0 flex-1 overflow-x-auto">
          <div style={{ maxWidth: `${count * widestColumn}px`, minWidth: `${count * narrowestColumn}px` }}>
            <input
              type="range"
              min={1}
              max={count}
              value={step.number}
              onChange={(event) => selection.select(Number(event.target.value))}
              aria-label={t('scrubber')}
              aria-valuetext={t('stepOf', { number: step.number, count })}
              // The thumb stands over the middle of its step's column.
              style={{ width: `calc(100% - 100% / ${count} + 16px)`, marginLeft: `calc(50% / ${count} - 8px)` }}
              className="block h-4 accent-[var(--accent)]"
            />
            <div aria-hidden className="flex pt-0.5">
              {episode.steps.map((each) => (
                <TimelineColumn
                  key={each.number}
                  step={each}
                  isSelected={each.number === step.number}
                  onSelect={() => selection.select(each.number)}
                />
              ))}
            </div>
          </div>
        </div>
      </div>
    </section>
  )
}
