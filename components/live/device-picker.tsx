'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { Device } from '@/server/device/contract'

/** The page's heading and, with more than one phone, the way to another. */
export function DevicePicker({ device, devices }: { device: Device; devices: Device[] }) {
  const t = useTranslations('live')
  const router = useRouter()
  if (devices.length < 2) return <h1 className="text-sm font-semibold">{device.name}</h1>
  return (
    <>
      <h1 className="sr-only">{device.name}</h1>
      <select
        value={device.id}
        aria-label={t('chooseDevice')}
        onChange={(event) => router.push(`/live/${event.target.value}`)}
        className="h-7 rounded-md border bg-raised px-2 text-sm font-semibold"
      >
        {devices.map((each) => (
          <option key={each.id} value={each.id}>
            {each.state === 'online' ? each.name : t('offlineDevice', { name: each.name })}
          </option>
        ))}
      </select>
    </>
  )
}
