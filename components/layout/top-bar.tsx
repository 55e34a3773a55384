import type { ReactNode } from 'react'

/** The 44 px bar of a page: where it is, what state it is in, and its commands at the end. */
export function TopBar({ children }: { children: ReactNode }) {
  return (
    <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-2.5 gap-y-1 border-b px-4 max-lg:py-1.5">
      {children}
    </header>
  )
}
