import type { ReactNode } from 'react'
import { NavRail } from '@/components/layout/nav-rail'

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex h-dvh flex-col lg:flex-row">
      <NavRail />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
    </div>
  )
}
