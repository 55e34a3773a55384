'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useTRPC } from '@/components/api/trpc'
import { TopBar } from '@/components/layout/top-bar'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Device } from '@/server/device/contract'
import { Composer } from './composer'
import { DevicePicker } from './device-picker'

function RecentEpisodes({ deviceId }: { deviceId: string }) {
  const t = useTranslations('live')
  const trpc = useTRPC()
  const recent = useQuery(trpc.trajectory.list.queryOptions({ deviceId, limit: 5 }))
  if (recent.data === undefined || recent.data.episodes.length === 0) return null
  return (
    <section className="border-t p-4">
      <h2 className="cap mb-2">{t('recent')}</h2>
      <ul className="flex flex-col gap-1">
        {recent.data.episodes.map((episode) => (
          <li key={episode.id}>
            <Link
              href={`/episodes/${episode.id}`}
              className="flex h-8 items-center gap-3 rounded-md hover:bg-s1 max-lg:h-11"
            >
              <span className="min-w-0 flex-1 truncate">{episode.title}</span>
              <StatusBadge status={episode.status} quiet />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type IdleDeviceProps = {
  device: Device
  devices: Device[]
  screen: ReactNode
  controls: ReactNode
  mayOperate: boolean
  onStarted: (episodeId: string) => void
}

/** A phone nobody works on: its screen, and what one can do with it. */
export function IdleDevice({ device, devices, screen, controls, mayOperate, onStarted }: IdleDeviceProps) {
  const t = useTranslations('live')
  return (
    <main className="flex min-h-0 flex-1 flex-col max-lg:overflow-y-auto">
      <TopBar>
        <span className="text-text2">{t('title')}</span>
        <span aria-hidden className="text-text2">
          /
        </span>
        <DevicePicker device={device} devices={devices} />
        <span className="cap">{t(device.kind === 'simulated' ? 'simulated' : 'android')}</span>
        <span className="flex-1" />
        {controls}
      </TopBar>
      <div className="flex min-h-0 flex-1 flex-col-reverse max-lg:flex-none lg:flex-row">
        <div className="shrink-0 overflow-y-auto lg:w-[380px] lg:border-r">
          {mayOperate ? (
            <Composer deviceId={device.id} isOnline={device.state === 'online'} onStarted={onStarted} />
          ) : (
            <p className="p-4 text-text2">{t('operatorsOnly')}</p>
          )}
          <RecentEpisodes deviceId={device.id} />
        </div>
        <section aria-label={t('screen')} className="min-h-0 flex-1 bg-s1 p-4 max-lg:h-[70dvh] max-lg:flex-none">
          <div className="phone-stage size-full">
            <div className="phone-fit">{screen}</div>
          </div>
        </section>
      </div>
    </main>
  )
}
