'use client'

import { useTranslations } from 'next-intl'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { formatSpan } from '@/components/ui/format'
import { Segmented } from '@/components/ui/segmented'
import type { FoldedEpisode, Step } from '@/server/trajectory/contract'
import { StepScreen } from './step-screen'
import type { StepSelection } from './use-selected-step'

const sides = ['before', 'after'] as const

function TouchCaption({ step }: { step: Step }) {
  const t = useTranslations('episode')
  const touch = step.calls.flatMap((call) => call.touches)[0]
  const at = touch?.executed[0]
  if (touch === undefined || at === undefined) return null
  return (
    <span className="cap num inline-flex items-center gap-2">
      <span aria-hidden className="size-2.5 rounded-full border-2 border-accent" />
      {t('executedAt', { gesture: t(`gesture.${touch.gesture}`), x: Math.round(at.x), y: Math.round(at.y) })}
    </span>
  )
}

/** What the step did and why, where the panel beside the phone has no room. */
function StepCaption({ step }: { step: Step }) {
  const [call] = step.calls
  return (
    <div className="shrink-0 border-t bg-bg px-4 py-2 lg:hidden">
      {call === undefined ? null : (
        <div className="cap num flex justify-between gap-3">
          <span className="truncate">
            {step.number} · {call.tool}
          </span>
          {call.result === null ? null : (
            <span className={call.result.ok ? 'text-ok' : 'text-fail'}>
              {call.result.code} · {formatSpan(call.result.durationMs)}
            </span>
          )}
        </div>
      )}
      <p className="line-clamp-2 text-sm">{step.reasoning?.text}</p>
    </div>
  )
}

type StageProps = {
  episode: FoldedEpisode
  selection: StepSelection
  /** The live picture, where the episode runs on a device that can be seen. */
  live: ReactNode
}

/** The phone: live, or as recorded at the step in view. */
export function Stage({ episode, selection, live }: StageProps) {
  const t = useTranslations('episode')
  const [chosenSide, setSide] = useQueryState('side', parseAsStringLiteral(sides))
  const { step } = selection
  // A finger went where the screen was before: that is what its mark must be seen on.
  const isTouched = step !== null && step.before !== null && step.calls.some((call) => call.touches.length > 0)
  const side = chosenSide ?? (isTouched ? 'before' : 'after')
  const isLive = live !== null && selection.isFollowing && episode.finished === null
  const shown = step === null ? null : side === 'before' ? step.before : (step.after ?? step.before)
  return (
    <section aria-label={t('screen')} className="flex min-h-0 min-w-0 flex-1 flex-col bg-s1">
      {/* Empty while live: kept where there is room, so that the phone does not jump. */}
      <div className={`flex h-11 shrink-0 items-center gap-2 px-3.5 ${isLive ? 'max-lg:hidden' : ''}`}>
        {isLive ? null : (
          <Segmented
            label={t('side')}
            value={side}
            options={sides.map((value) => ({ value, label: t(value), disabled: step === null }))}
            onChange={(value) => void setSide(value)}
          />
        )}
        <span className="flex-1" />
        {!isLive && step !== null ? <span className="cap num">{t('viewing', { number: step.number })}</span> : null}
        {!selection.isFollowing && episode.finished === null ? (
          <Button size="small" onClick={selection.follow}>
            <span aria-hidden className="size-[7px] rounded-full bg-ok" />
            {t('backToLive')}
          </Button>
        ) : null}
      </div>
      <div className="phone-stage mx-3 min-h-0 flex-1 max-lg:mt-2">
        {/* The live screen stays mounted while a recorded step is looked at: coming back must not start a new stream. */}
        {live === null ? null : <div className={isLive ? 'phone-fit' : 'hidden'}>{live}</div>}
        {!isLive && step !== null ? (
          <div className="phone-fit">
            <StepScreen step={step} observation={shown} showTouches={side === 'before'} />
          </div>
        ) : null}
        {!isLive && step === null ? <p className="text-text2">{t('noStep')}</p> : null}
      </div>
      {isLive || step === null ? null : <StepCaption step={step} />}
      <div className={`flex h-8 shrink-0 items-center justify-center pb-1 ${isLive ? 'max-lg:h-2' : ''}`}>
        {!isLive && step !== null && side === 'before' ? <TouchCaption step={step} /> : null}
      </div>
    </section>
  )
}
