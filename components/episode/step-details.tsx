'use client'

import { Tabs } from '@base-ui/react/tabs'
import { useTranslations } from 'next-intl'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { TabBar } from '@/components/ui/tab-bar'
import { ChecksPanel } from './checks-panel'
import { ContextPanel } from './context-panel'
import { RawPanel } from './raw-panel'
import { StepPanel } from './step-panel'
import type { EpisodeLog } from './use-episode-log'
import type { StepSelection } from './use-selected-step'

const tabs = ['step', 'context', 'checks', 'raw'] as const

export function StepDetails({ log, selection }: { log: EpisodeLog; selection: StepSelection }) {
  const t = useTranslations('episode')
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabs).withDefault('step'))
  const { step } = selection
  const panel = 'min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2'
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value: (typeof tabs)[number]) => void setTab(value)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <TabBar label={t('details')} tabs={tabs.map((value) => ({ value, label: t(`tab.${value}`) }))} />
      <Tabs.Panel value="step" className={panel}>
        <StepPanel step={step} speaking={selection.isFollowing ? log.speaking : ''} />
      </Tabs.Panel>
      <Tabs.Panel value="context" className={panel}>
        <ContextPanel episode={log.episode} step={step} />
      </Tabs.Panel>
      <Tabs.Panel value="checks" className={panel}>
        <ChecksPanel episode={log.episode} />
      </Tabs.Panel>
      <Tabs.Panel value="raw" className={panel}>
        <RawPanel events={log.events} step={step} />
      </Tabs.Panel>
    </Tabs.Root>
  )
}
