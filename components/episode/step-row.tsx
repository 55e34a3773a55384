'use client'

import { CircleCheck, CircleHelp, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { createElement } from 'react'
import { formatSpan } from '@/components/ui/format'
import type { Step, StepCall } from '@/server/trajectory/contract'
import { iconOfTool, mainArgument } from './describe-call'

function StepIcon({ step, isEnded }: { step: Step; isEnded: boolean }) {
  const call = step.calls[0]
  const look = { 'aria-hidden': true, className: 'size-4 shrink-0', strokeWidth: 1.6 } as const
  if (step.endedAt === null && !isEnded && call?.question == null) {
    return <LoaderCircle {...look} className="size-4 shrink-0 animate-spin text-accent" />
  }
  if (call === undefined) return <CircleCheck {...look} />
  if (call.question !== null) return <CircleHelp {...look} className="size-4 shrink-0 text-wait" />
  if (call.result?.ok === false) return <TriangleAlert {...look} className="size-4 shrink-0 text-fail" />
  return createElement(iconOfTool(call.tool), { ...look, className: 'size-4 shrink-0 text-text2' })
}

function CallText({ call }: { call: StepCall }) {
  const t = useTranslations('episode')
  if (call.question !== null) return <>{t('asked', { question: call.question.text })}</>
  return (
    <>
      {call.tool}{' '}
      <span className="opacity-70">{call.result?.ok === false ? call.result.code : mainArgument(call)}</span>
    </>
  )
}

type StepRowProps = { step: Step; isSelected: boolean; isEnded: boolean; onSelect: () => void }

export function StepRow({ step, isSelected, isEnded, onSelect }: StepRowProps) {
  const t = useTranslations('episode')
  const call = step.calls[0]
  const hasFailed = step.calls.some((candidate) => candidate.result?.ok === false)
  const extra = step.calls.length - 1
  return (
    <li aria-current={isSelected ? 'step' : undefined}>
      <button
        type="button"
        onClick={onSelect}
        data-step={step.number}
        className={`relative grid h-8 w-full grid-cols-[24px_18px_1fr_auto] items-center gap-1 pr-3.5 pl-2.5 text-left focus-visible:-outline-offset-2 max-lg:h-11 max-lg:text-sm ${isSelected ? 'bg-accent-soft before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent' : 'hover:bg-s1'}`}
      >
        <span className="cap num pr-1 text-right">{step.number}</span>
        <StepIcon step={step} isEnded={isEnded} />
        <span className={`truncate ${hasFailed ? 'text-fail' : ''}`}>
          {call === undefined ? (
            t(step.endedAt === null && !isEnded ? 'thinking' : 'decided')
          ) : (
            <CallText call={call} />
          )}
          {extra > 0 ? <span className="text-text2"> {t('moreCalls', { count: extra })}</span> : null}
        </span>
        <span className="cap num">
          {step.endedAt === null ? (isEnded ? '' : t('live')) : formatSpan(step.endedAt - step.startedAt)}
        </span>
      </button>
    </li>
  )
}
