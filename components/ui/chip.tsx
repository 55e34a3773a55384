import type { ReactNode } from 'react'

export function Chip({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span
      title={title}
      className="inline-flex h-[18px] items-center gap-1 rounded border px-1.5 text-[11px] whitespace-nowrap text-text2"
    >
      {children}
    </span>
  )
}
