'use client'

import { parseAsInteger, useQueryState } from 'nuqs'
import type { FoldedEpisode, Step } from '@/server/trajectory/contract'

export type StepSelection = {
  /** The step in view; null while there is none. */
  step: Step | null
  /** Whether the view follows the newest step instead of staying at one. */
  isFollowing: boolean
  select: (stepNumber: number) => void
  follow: () => void
  move: (by: number) => void
}

/** Which step is in view, kept in the address as `?step=n`; without it the newest one. */
export function useSelectedStep(episode: FoldedEpisode): StepSelection {
  const [asked, setAsked] = useQueryState('step', parseAsInteger.withOptions({ history: 'replace' }))
  const last = episode.steps.length
  const number = asked === null ? last : Math.min(Math.max(1, asked), Math.max(1, last))
  const select = (stepNumber: number) => void setAsked(Math.min(Math.max(1, stepNumber), Math.max(1, last)))
  return {
    step: episode.steps[number - 1] ?? null,
    isFollowing: asked === null,
    select,
    follow: () => void setAsked(null),
    move: (by) => {
      // At the newest step of a running episode, one more step forward means: follow it.
      if (by > 0 && number + by > last && episode.finished === null) void setAsked(null)
      else select(number + by)
    },
  }
}
