'use client'

import { useTranslations } from 'next-intl'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import type { LeaseHolder } from '@/server/wire/gateway/messages'
import { pressMessagesOf } from './screen-input'
import type { ScreenState } from './screen-messages'
import { ScreenOverlay } from './screen-overlay'
import { useScreenInput } from './use-screen-input'
import { useScreenWorker } from './use-screen-worker'

const renewMs = 5_000
const usualSize = { width: 540, height: 1200 }

export type DeviceScreenHandle = {
  /** Asks for the lease, also from an agent; `onLease` tells when it is mine, `onRefused` when it is refused. */
  takeLease(): void
  releaseLease(): void
  /** Presses an Android key (4 back, 3 home, 187 recent apps). Needs the lease, as all input does. */
  pressKey(keycode: number): void
}

type DeviceScreenProps = {
  deviceId: string
  /** Whether this person may take the lease at all; without it everything is read-only. */
  mayDrive: boolean
  ref?: Ref<DeviceScreenHandle>
  onState?: (state: ScreenState) => void
  onLease?: (holder: LeaseHolder | null) => void
  onRefused?: (code: string, message: string) => void
}

/**
 * The live screen of a device in a phone's bezel, as large as its container allows. `data-state` is what is seen,
 * `data-frames` counts the frames drawn, `data-lease` says who holds the device: mine, other or none.
 */
export function DeviceScreen({ deviceId, mayDrive, ref, onState, onLease, onRefused }: DeviceScreenProps) {
  const t = useTranslations('screen')
  const surface = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const { view, send } = useScreenWorker(deviceId, place)
  const { state, reason, holder, size, refusal } = view
  const isMine = mayDrive && holder?.mine === true

  const tellState = useEffectEvent((now: ScreenState) => onState?.(now))
  const tellLease = useEffectEvent((now: LeaseHolder | null) => onLease?.(now))
  const tellRefusal = useEffectEvent((code: string, message: string) => onRefused?.(code, message))
  useEffect(() => tellState(state), [state])
  useEffect(() => tellLease(holder), [holder])
  useEffect(() => {
    if (refusal !== null) tellRefusal(refusal.code, refusal.message)
  }, [refusal])

  useEffect(() => {
    if (!isMine) return
    const timer = setInterval(() => send({ type: 'lease.renew' }), renewMs)
    return () => clearInterval(timer)
  }, [isMine, send])
  useScreenInput({ surface, isActive: isMine && state === 'live', size, send })
  useImperativeHandle(
    ref,
    () => ({
      takeLease: () => send({ type: 'lease.take', preempt: true }),
      releaseLease: () => send({ type: 'lease.release' }),
      pressKey: (keycode) => {
        for (const message of pressMessagesOf(keycode)) send(message)
      },
    }),
    [send],
  )

  const { width, height } = size ?? usualSize
  return (
    <div
      data-state={state}
      data-frames={view.framesDrawn}
      data-lease={holder === null ? 'none' : isMine ? 'mine' : 'other'}
      data-device-screen
      style={{ aspectRatio: `${width} / ${height}` }}
      className="relative h-full max-h-full max-w-full rounded-[30px] bg-[#05070a] p-[7px] shadow-[var(--shadow)] outline outline-[var(--bezel-line,transparent)]"
    >
      <div
        ref={surface}
        tabIndex={isMine ? 0 : -1}
        role={isMine ? 'application' : 'img'}
        aria-label={t(isMine ? 'drivenByYou' : 'liveScreen')}
        className={`relative size-full overflow-hidden rounded-[23px] bg-[#05070a] select-none ${isMine ? 'cursor-pointer touch-none' : ''}`}
      >
        <div ref={place} className="size-full" />
        {state === 'live' ? null : <ScreenOverlay state={state} reason={reason} hasPicture={size !== null} />}
      </div>
    </div>
  )
}
