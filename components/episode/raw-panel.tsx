'use client'

import { useTranslations } from 'next-intl'
import type { EpisodeEvent, Step } from '@/server/trajectory/contract'
import { JsonWell } from './json-well'

/** The lines of the log that make up the step. */
export function RawPanel({ events, step }: { events: EpisodeEvent[]; step: Step | null }) {
  const t = useTranslations('episode')
  if (step === null) return <p className="p-3.5 text-text2">{t('noStep')}</p>
  const own = events.filter((event) => event.seq >= step.firstSeq && event.seq <= step.lastSeq)
  return (
    <ol className="flex flex-col gap-3 p-3.5 max-lg:px-4">
      {own.map((event) => (
        <li key={event.seq}>
          <div className="cap num mb-1">
            {event.seq} · {event.actor} · {event.body.type} · {new Date(event.at).toISOString()}
          </div>
          <JsonWell value={event.body} label={`${event.seq} ${event.body.type}`} />
        </li>
      ))}
    </ol>
  )
}
