'use client'

import { Check, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { FoldedEpisode } from '@/server/trajectory/contract'

/** What the planner claimed beside what the checker found. */
export function ChecksPanel({ episode }: { episode: FoldedEpisode }) {
  const t = useTranslations('episode')
  const { finished } = episode
  if (finished === null) return <p className="p-3.5 text-text2">{t('checksLater')}</p>
  return (
    <div className="flex flex-col gap-4 p-3.5 max-lg:px-4">
      <section>
        <h3 className="cap mb-1">{t('claim')}</h3>
        <p className={finished.claim === null ? 'text-text2' : ''}>{finished.claim ?? t('noClaim')}</p>
      </section>
      <section>
        <h3 className="cap mb-1">{t('verdict')}</h3>
        <p>{finished.verdict?.reason ?? finished.reason}</p>
      </section>
      {finished.verdict === null || finished.verdict.checks.length === 0 ? null : (
        <ul className="flex flex-col gap-2.5">
          {finished.verdict.checks.map((check) => (
            <li key={check.id} className="flex gap-2" data-check={check.passed ? 'passed' : 'failed'}>
              {check.passed ? (
                <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" strokeWidth={1.8} />
              ) : (
                <X aria-hidden className="mt-0.5 size-4 shrink-0 text-fail" strokeWidth={1.8} />
              )}
              <div className="min-w-0">
                <div>
                  <span className="sr-only">{t(check.passed ? 'passed' : 'notPassed')}: </span>
                  {check.title}
                </div>
                <p className="break-words text-text2">{check.reason}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
