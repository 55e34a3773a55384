'use client'

import { useState } from 'react'
import { useShortcuts } from '@/components/episode/use-shortcuts'

/** j and k move through the rows, Enter and o open one. Returns the index of the row in hand, -1 for none. */
export function useRowKeys(rowCount: number, open: (index: number) => void): number {
  const [active, setActive] = useState(-1)
  const index = Math.min(active, rowCount - 1)
  useShortcuts({
    j: () => setActive(Math.min(index + 1, rowCount - 1)),
    k: () => setActive(Math.max(index - 1, 0)),
    o: index >= 0 ? () => open(index) : undefined,
    Enter: index >= 0 ? () => open(index) : undefined,
  })
  return index
}
