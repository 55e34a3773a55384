'use client'

import { Tabs } from '@base-ui/react/tabs'

type TabBarProps<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: string; count?: number }[]
}

/** The row of tabs of a `Tabs.Root`. */
export function TabBar<Value extends string>({ label, tabs }: TabBarProps<Value>) {
  return (
    <Tabs.List aria-label={label} className="flex h-9 shrink-0 gap-4 border-b px-3.5 max-lg:h-11">
      {tabs.map((tab) => (
        <Tabs.Tab
          key={tab.value}
          value={tab.value}
          className="border-b-[1.5px] border-transparent text-text2 hover:text-text focus-visible:-outline-offset-2 aria-selected:border-text aria-selected:text-text max-lg:text-sm"
        >
          {tab.label}
          {tab.count === undefined ? null : <span className="num ml-1 text-xs text-text2">{tab.count}</span>}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}
