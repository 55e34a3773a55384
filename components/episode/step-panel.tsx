'use client'

import { Info } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { formatSpan } from '@/components/ui/format'
import type { Step } from '@/server/trajectory/contract'
import { CallCard } from './call-card'

type StepPanelProps = {
  step: Step | null
  /** Reasoning as it is spoken, of a step without its `reasoned` event yet. */
  speaking: string
}

/** Reasoning, calls and results of a step. */
export function StepPanel({ step, speaking }: StepPanelProps) {
  const t = useTranslations('episode')
  if (step === null) return <p className="p-3.5 text-text2">{t('noStep')}</p>
  const text = step.reasoning?.text ?? speaking
  return (
    <div className="flex flex-col gap-4 p-3.5 max-lg:px-4">
      <section>
        <h3 className="cap num mb-1">
          {t('stepNumber', { number: step.number })} · {t('reasoning')}
          {step.reasoning === null ? null : ` · ${formatSpan(step.reasoning.durationMs)}`}
        </h3>
        {text === '' ? (
          <p className="text-text2">{t(step.endedAt === null ? 'thinking' : 'noReasoning')}</p>
        ) : (
          <p className="break-words whitespace-pre-wrap" data-reasoning>
            {text}
            {step.reasoning === null ? (
              <span aria-hidden className="animate-pulse text-accent">
                ▍
              </span>
            ) : null}
          </p>
        )}
      </section>
      {step.calls.map((call) => (
        <CallCard key={call.callId} call={call} />
      ))}
      {step.feedback.map((feedback) => (
        <p key={`${feedback.kind} ${feedback.text}`} className="flex gap-2 text-text2">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.6} />
          <span>
            <span className="cap">{t('fedBack')}</span> {feedback.text}
          </span>
        </p>
      ))}
    </div>
  )
}
