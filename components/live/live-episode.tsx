'use client'

import { Film, Plus } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import type { ReactNode, RefObject } from 'react'
import { EpisodeControls } from '@/components/episode/episode-controls'
import { EpisodeView } from '@/components/episode/episode-view'
import { useEpisodeLog } from '@/components/episode/use-episode-log'
import type { DeviceScreenHandle } from '@/components/screen/device-screen'
import { Button } from '@/components/ui/button'
import type { Device } from '@/server/device/contract'
import type { EpisodeEvent } from '@/server/trajectory/contract'
import type { LeaseHolder } from '@/server/wire/gateway/messages'
import { DriveControls } from './drive-controls'

const noEvents: EpisodeEvent[] = []

type LiveEpisodeProps = {
  episodeId: string
  device: Device
  live: ReactNode
  holder: LeaseHolder | null
  screen: RefObject<DeviceScreenHandle | null>
  mayOperate: boolean
  onAnother: () => void
}

/** The episode on this phone, with the commands of somebody who may drive it. */
export function LiveEpisode({ episodeId, device, live, holder, screen, mayOperate, onAnother }: LiveEpisodeProps) {
  const t = useTranslations('episode')
  const log = useEpisodeLog(episodeId, noEvents)
  const { status } = log.episode
  const isFinished = log.episode.finished !== null
  return (
    <EpisodeView
      episodeId={episodeId}
      log={log}
      crumb={{ href: `/live/${device.id}`, label: device.name }}
      live={live}
      mayAnswer={mayOperate}
      controls={
        <>
          {status === 'taken-over' ? (
            // Taken over, but without the phone after a reload: it can be taken again.
            <DriveControls holder={holder} screen={screen} mayTake={mayOperate && holder?.mine !== true} />
          ) : null}
          {mayOperate ? (
            <EpisodeControls
              episodeId={episodeId}
              status={status}
              canDrive
              onBefore={(action) => {
                if (action === 'hand-back') screen.current?.releaseLease()
              }}
              onDone={(action) => {
                if (action === 'take-over') screen.current?.takeLease()
              }}
            />
          ) : null}
          {isFinished ? (
            <>
              <Link
                href={`/episodes/${episodeId}`}
                className="inline-flex h-7 items-center gap-1.5 rounded-md border bg-raised px-2.5 font-medium hover:border-control max-lg:h-11 max-lg:flex-1 max-lg:justify-center"
              >
                <Film aria-hidden className="size-3.5" strokeWidth={1.8} />
                {t('openReplay')}
              </Link>
              {mayOperate ? (
                <Button look="primary" onClick={onAnother} className="max-lg:h-11 max-lg:flex-1">
                  <Plus aria-hidden className="size-3.5" strokeWidth={2} />
                  {t('another')}
                </Button>
              ) : null}
            </>
          ) : null}
        </>
      }
    />
  )
}
