'use client'

import { useQuery } from '@tanstack/react-query'
import { useSubscription } from '@trpc/tanstack-react-query'
import { parseAsString, useQueryStates } from 'nuqs'
import { useRef, useState } from 'react'
import { toast } from 'sonner'
import { useTRPC } from '@/components/api/trpc'
import { DeviceScreen, type DeviceScreenHandle } from '@/components/screen/device-screen'
import type { Device } from '@/server/device/contract'
import { episodeStatuses, isLive } from '@/server/trajectory/contract'
import type { LeaseHolder } from '@/server/wire/gateway/messages'
import { DriveControls } from './drive-controls'
import { IdleDevice } from './idle-device'
import { LiveEpisode } from './live-episode'

const liveStatuses = episodeStatuses.filter(isLive)

type LiveDeviceProps = { deviceId: string; initialDevices: Device[]; mayOperate: boolean }

/** `/live/[device]`: the phone, and the episode on it if there is one. */
export function LiveDevice({ deviceId, initialDevices, mayOperate }: LiveDeviceProps) {
  const trpc = useTRPC()
  const [devices, setDevices] = useState(initialDevices)
  useSubscription(trpc.device.follow.subscriptionOptions(undefined, { onData: setDevices }))
  const [, setAddress] = useQueryStates(
    { step: parseAsString, tab: parseAsString, side: parseAsString },
    { history: 'replace' },
  )
  const [dismissedId, setDismissedId] = useState<string | null>(null)
  const running = useQuery(
    trpc.trajectory.list.queryOptions({ deviceId, statuses: liveStatuses, limit: 1 }, { refetchInterval: 2_000 }),
  )
  const listedId = running.data?.episodes[0]?.id ?? null
  // The list is up to 2 s old: one that has ended and was put away may still stand in it.
  const runningId = listedId === dismissedId ? null : listedId
  // An episode stays in view when it ends, until one asks for another.
  const [seenId, setSeenId] = useState<string | null>(null)
  if (runningId !== null && runningId !== seenId) setSeenId(runningId)
  const shownId = runningId ?? seenId

  const screen = useRef<DeviceScreenHandle>(null)
  const [holder, setHolder] = useState<LeaseHolder | null>(null)
  const device = devices.find((each) => each.id === deviceId)
  if (device === undefined) return null
  const live = (
    <DeviceScreen
      ref={screen}
      deviceId={deviceId}
      mayDrive={mayOperate}
      onLease={setHolder}
      onRefused={(_code, message) => toast.error(message)}
    />
  )
  if (shownId === null) {
    return (
      <IdleDevice
        device={device}
        devices={devices}
        screen={live}
        controls={<DriveControls holder={holder} screen={screen} mayTake={mayOperate} />}
        mayOperate={mayOperate}
        onStarted={(episodeId) => {
          setSeenId(episodeId)
          void running.refetch()
        }}
      />
    )
  }
  return (
    <LiveEpisode
      key={shownId}
      episodeId={shownId}
      device={device}
      live={live}
      holder={holder}
      screen={screen}
      mayOperate={mayOperate}
      onAnother={() => {
        setDismissedId(shownId)
        setSeenId(null)
        void setAddress({ step: null, tab: null, side: null })
      }}
    />
  )
}
