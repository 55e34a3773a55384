import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { LiveDevice } from '@/components/live/live-device'
import { hasRole } from '@/server/platform/people/contract'
import { listDevices, signedInPerson } from '@/server/trpc/rsc'

type LiveDevicePageProps = { params: Promise<{ device: string }> }

export async function generateMetadata({ params }: LiveDevicePageProps): Promise<Metadata> {
  const { device } = await params
  return { title: (await listDevices()).find((each) => each.id === device)?.name ?? 'Tapline' }
}

export default async function LiveDevicePage({ params }: LiveDevicePageProps) {
  const { device } = await params
  const devices = await listDevices()
  if (!devices.some((each) => each.id === device)) notFound()
  const person = await signedInPerson()
  return <LiveDevice deviceId={device} initialDevices={devices} mayOperate={hasRole(person.role, 'operator')} />
}
