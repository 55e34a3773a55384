'use client'

import { useSubscription } from '@trpc/tanstack-react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '@/components/api/trpc'

/** Loads the page again as soon as a phone turns up. */
export function RefreshWhenDevicesChange() {
  const trpc = useTRPC()
  const router = useRouter()
  useSubscription(
    trpc.device.follow.subscriptionOptions(undefined, {
      onData: (devices) => {
        if (devices.length > 0) router.refresh()
      },
    }),
  )
  return null
}
