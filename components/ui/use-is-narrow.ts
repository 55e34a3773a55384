'use client'

import { useSyncExternalStore } from 'react'

/** Below Tailwind's `lg`, where the page shows one part at a time. */
const narrow = '(width < 64rem)'

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(narrow)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** For what must exist once and in another place on a narrow screen; mere looks are CSS. False while on the server. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(narrow).matches,
    () => false,
  )
}
