'use client'

import { useTranslations } from 'next-intl'
import { Chip } from '@/components/ui/chip'
import type { FoldedEpisode, Step } from '@/server/trajectory/contract'

/** What the harness gave the planner for this step. */
export function ContextPanel({ episode, step }: { episode: FoldedEpisode; step: Step | null }) {
  const t = useTranslations('episode')
  // The harness logs the context when it changes: the step in view was decided from the latest one before it.
  const context = episode.steps.slice(0, step?.number ?? 0).findLast((candidate) => candidate.context !== null)?.context
  if (context == null) return <p className="p-3.5 text-text2">{t('noContext')}</p>
  return (
    <div className="flex flex-col gap-4 p-3.5 max-lg:px-4">
      <section>
        <h3 className="cap mb-1">{t('instructions')}</h3>
        <p className="mono">{context.instructionsVersion}</p>
      </section>
      <section>
        <h3 className="cap mb-1.5">{t('tools', { count: context.tools.length })}</h3>
        <ul className="flex flex-col gap-1.5">
          {context.tools.map((tool) => (
            <li key={tool.name} className="flex items-baseline gap-2">
              <code className="mono">{tool.name}</code>
              <span className="truncate text-text2">{tool.title}</span>
              <span className="flex-1" />
              {tool.readOnly ? <Chip>{t('readOnly')}</Chip> : null}
              {tool.destructive ? <Chip>{t('destructive')}</Chip> : null}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
