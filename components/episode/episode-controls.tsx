'use client'

import { useMutation } from '@tanstack/react-query'
import { Hand, Pause, Play, Square, Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { toast } from 'sonner'
import { useTRPC } from '@/components/api/trpc'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import type { ControlAction } from '@/server/harness/contract'
import type { EpisodeStatus } from '@/server/trajectory/contract'
import { useShortcuts } from './use-shortcuts'

const icons = { pause: Pause, resume: Play, 'take-over': Hand, 'hand-back': Undo2, stop: Square } as const
const keys: Record<ControlAction, string> = { pause: 'p', resume: 'p', 'take-over': 't', 'hand-back': 'h', stop: '' }

/** What a person may do to an episode in this status, in the order of the bar. */
export function controlsFor(status: EpisodeStatus, canDrive: boolean): ControlAction[] {
  switch (status) {
    case 'queued':
      return ['stop']
    case 'running':
    case 'waiting':
      return canDrive ? ['pause', 'take-over', 'stop'] : ['pause', 'stop']
    case 'paused':
      return canDrive ? ['resume', 'take-over', 'stop'] : ['resume', 'stop']
    case 'taken-over':
      return ['hand-back', 'stop']
    case 'succeeded':
    case 'failed':
    case 'unverified':
    case 'stopped':
    case 'interrupted':
      return []
    default:
      return status satisfies never
  }
}

type EpisodeControlsProps = {
  episodeId: string
  status: EpisodeStatus
  canDrive: boolean
  /** Called before the command is sent, and when it has been accepted. */
  onBefore?: (action: ControlAction) => void
  onDone?: (action: ControlAction) => void
}

export function EpisodeControls({ episodeId, status, canDrive, onBefore, onDone }: EpisodeControlsProps) {
  const t = useTranslations('control')
  const trpc = useTRPC()
  const control = useMutation(
    trpc.harness.control.mutationOptions({
      onError: (error) => toast.error(error.message),
      onSuccess: (_nothing, { action }) => onDone?.(action),
    }),
  )
  const actions = controlsFor(status, canDrive)
  const run = (action: ControlAction) => {
    if (control.isPending) return
    onBefore?.(action)
    control.mutate({ episodeId, action })
  }
  useShortcuts(
    Object.fromEntries(
      actions.filter((action) => keys[action] !== '').map((action) => [keys[action], () => run(action)]),
    ),
  )
  return (
    <>
      {actions.map((action) => {
        const Icon = icons[action]
        return (
          <Button
            key={action}
            look={action === 'stop' ? 'danger' : 'normal'}
            disabled={control.isPending}
            onClick={() => run(action)}
            data-control={action}
            className="max-lg:h-11 max-lg:flex-1"
          >
            <Icon aria-hidden className="size-3.5" strokeWidth={1.8} />
            {t(action)}
            {keys[action] === '' ? null : <Kbd>{keys[action].toUpperCase()}</Kbd>}
          </Button>
        )
      })}
    </>
  )
}
