import { Smartphone } from 'lucide-react'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { RefreshWhenDevicesChange } from '@/components/live/refresh-when-devices-change'
import { listDevices } from '@/server/trpc/rsc'

export default async function LivePage() {
  const devices = await listDevices()
  const first = devices.find((device) => device.state === 'online') ?? devices[0]
  if (first !== undefined) redirect(`/live/${first.id}`)
  const t = await getTranslations('live')
  return (
    <main>
      <EmptyState icon={Smartphone} title={t('noDeviceTitle')} text={t('noDeviceText')} />
      <RefreshWhenDevicesChange />
    </main>
  )
}
