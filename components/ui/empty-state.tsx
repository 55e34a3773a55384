import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyStateProps = { icon: LucideIcon; title: string; text: string; children?: ReactNode }

export function EmptyState({ icon: Icon, title, text, children }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-6 py-16 text-center">
      <Icon aria-hidden className="size-6 text-text2" strokeWidth={1.6} />
      <h2 className="text-sm font-semibold">{title}</h2>
      <p className="text-text2">{text}</p>
      {children}
    </div>
  )
}
