import type { ReactNode } from 'react'

/** A key's name beside what it does; the screen reader hears the control's own shortcut instead. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd
      aria-hidden
      className="rounded border border-current/30 px-1 font-mono text-[11px] leading-4 opacity-75 max-lg:hidden"
    >
      {children}
    </kbd>
  )
}
