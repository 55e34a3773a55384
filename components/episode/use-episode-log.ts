'use client'

import { useSubscription } from '@trpc/tanstack-react-query'
import { useReducer } from 'react'
import { useTRPC } from '@/components/api/trpc'
import type { EpisodeEvent, FoldedEpisode, FollowedItem } from '@/server/trajectory/contract'
import { foldEpisode, foldEvent } from '@/server/trajectory/model/fold'

export type EpisodeLog = {
  episode: FoldedEpisode
  events: EpisodeEvent[]
  /** Reasoning spoken so far of the step that is being decided; empty when none is. */
  speaking: string
  /** Whether the log's growth reaches this page; of a finished one there is none to reach it. */
  isConnected: boolean
}

type Heard = Omit<EpisodeLog, 'isConnected'>

function startLog(events: EpisodeEvent[]): Heard {
  return { episode: foldEpisode(events), events, speaking: '' }
}

function follow(log: Heard, item: FollowedItem): Heard {
  switch (item.type) {
    case 'event': {
      if (item.event.seq <= log.episode.lastSeq) return log
      const isSaid = item.event.body.type === 'reasoned' || item.event.body.type === 'episode.finished'
      return {
        episode: foldEvent(log.episode, item.event),
        events: [...log.events, item.event],
        speaking: isSaid ? '' : log.speaking,
      }
    }
    case 'reasoning-delta':
      // A delta that overtook its step's first event, or comes after its end, is left out.
      return item.afterSeq === log.episode.lastSeq ? { ...log, speaking: log.speaking + item.text } : log
    default:
      return item satisfies never
  }
}

/** The log of an episode, folded, growing while it runs. `initialEvents` is what the server already rendered. */
export function useEpisodeLog(episodeId: string, initialEvents: EpisodeEvent[]): EpisodeLog {
  const trpc = useTRPC()
  const [log, dispatch] = useReducer(follow, initialEvents, startLog)
  const subscription = useSubscription(
    trpc.trajectory.follow.subscriptionOptions(
      { episodeId, fromSeq: initialEvents.length },
      { enabled: log.episode.finished === null, onData: (tracked) => dispatch(tracked.data) },
    ),
  )
  return { ...log, isConnected: log.episode.finished !== null || subscription.status === 'pending' }
}
