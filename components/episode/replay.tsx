'use client'

import { Smartphone } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { DeviceScreen } from '@/components/screen/device-screen'
import type { EpisodeEvent } from '@/server/trajectory/contract'
import { EpisodeControls } from './episode-controls'
import { EpisodeView } from './episode-view'
import { useEpisodeLog } from './use-episode-log'

type ReplayProps = { episodeId: string; initialEvents: EpisodeEvent[]; mayOperate: boolean }

/** `/episodes/[id]`: follows a running episode as a spectator, replays a finished one. */
export function Replay({ episodeId, initialEvents, mayOperate }: ReplayProps) {
  const t = useTranslations('episode')
  const log = useEpisodeLog(episodeId, initialEvents)
  const { episode } = log
  const device = episode.started?.device ?? null
  const isRunning = episode.finished === null
  return (
    <EpisodeView
      episodeId={episodeId}
      log={log}
      crumb={{ href: '/episodes', label: t('episodes') }}
      live={isRunning && device !== null ? <DeviceScreen deviceId={device.id} mayDrive={false} /> : null}
      mayAnswer={mayOperate}
      controls={
        isRunning ? (
          <>
            {mayOperate ? <EpisodeControls episodeId={episodeId} status={episode.status} canDrive={false} /> : null}
            {device === null ? null : (
              <Link
                href={`/live/${device.id}`}
                className="inline-flex h-7 items-center gap-1.5 px-2 text-text2 hover:text-text"
              >
                <Smartphone aria-hidden className="size-3.5" strokeWidth={1.8} />
                {t('openLive')}
              </Link>
            )}
          </>
        ) : null
      }
    />
  )
}
