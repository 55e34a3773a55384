'use client'

import { useTranslations } from 'next-intl'
import { formatSpan } from '@/components/ui/format'
import { askUser, finish } from '@/server/harness/contract'
import type { StepCall } from '@/server/trajectory/contract'
import { JsonWell } from './json-well'
import { StateDeltaView } from './state-delta'

function Outcome({ call }: { call: StepCall }) {
  const t = useTranslations('episode')
  const { result } = call
  if (result === null) return <span className="cap">{t(call.question === null ? 'underWay' : 'unanswered')}</span>
  return (
    <span
      className={`num inline-flex h-5 shrink-0 items-center rounded-full bg-current/8 px-2 text-xs font-medium ${result.ok ? 'text-ok' : 'text-fail'}`}
    >
      {result.code} · {formatSpan(result.durationMs)}
    </span>
  )
}

/** One call: what was asked of the phone, what it answered, and what changed. */
export function CallCard({ call }: { call: StepCall }) {
  const t = useTranslations('episode')
  const { result } = call
  // What the harness itself answers never reached the phone.
  const isHarnessCall = call.tool === askUser || call.tool === finish
  return (
    <article className="flex flex-col gap-1.5" data-call={call.tool}>
      <div className="flex items-center gap-2">
        <span className="cap">{t('call')}</span>
        <code className="mono truncate">{call.tool}</code>
        <span className="flex-1" />
        <Outcome call={call} />
      </div>
      {Object.keys(call.arguments).length === 0 ? null : <JsonWell value={call.arguments} label={t('arguments')} />}
      {call.question?.answer == null ? null : (
        <p>
          <span className="cap">{t('answeredBy', { name: call.question.answer.by })}</span>{' '}
          <b className="font-medium">{call.question.answer.text}</b>
        </p>
      )}
      {result === null || call.question !== null ? null : (
        <>
          <p className={result.ok ? 'break-words text-text2' : 'break-words text-fail'}>{result.message}</p>
          {isHarnessCall || result.data == null ? null : (
            <details>
              <summary className="cap cursor-pointer hover:text-text">{t('resultData')}</summary>
              <div className="mt-1.5">
                <JsonWell value={result.data} label={t('resultData')} />
              </div>
            </details>
          )}
          {isHarnessCall ? null : (
            <div>
              <div className="cap mb-1">{t('delta.title')}</div>
              <StateDeltaView delta={result.delta} />
            </div>
          )}
        </>
      )}
    </article>
  )
}
