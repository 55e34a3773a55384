'use client'

import { useEffect, useRef } from 'react'

export type Shortcuts = Record<string, (() => void) | undefined>

/** Keys like `ArrowLeft`, `p`, `Shift+ArrowRight`; off while typing, with other modifiers, and on a focused phone. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target
      if (
        target instanceof HTMLElement &&
        target.closest('input:not([type=range]), textarea, select, [role=application]')
      )
        return
      const name = event.key.length === 1 ? event.key.toLowerCase() : event.key
      const action = latest.current[event.shiftKey ? `Shift+${name}` : name]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
