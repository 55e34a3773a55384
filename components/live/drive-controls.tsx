'use client'

import { ArrowLeft, Circle, Hand } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import { useShortcuts } from '@/components/episode/use-shortcuts'
import type { DeviceScreenHandle } from '@/components/screen/device-screen'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import type { LeaseHolder } from '@/server/wire/gateway/messages'

const backKey = 4
const homeKey = 3

type DriveControlsProps = {
  holder: LeaseHolder | null
  screen: RefObject<DeviceScreenHandle | null>
  /** Whether this person may take the phone now. */
  mayTake: boolean
}

/** Who holds the phone; taking it, letting it go, and its two buttons while it is mine. */
export function DriveControls({ holder, screen, mayTake }: DriveControlsProps) {
  const t = useTranslations('control')
  const live = useTranslations('live')
  const isMine = holder?.mine === true
  useShortcuts({
    t: mayTake && !isMine ? () => screen.current?.takeLease() : undefined,
    h: mayTake && isMine ? () => screen.current?.releaseLease() : undefined,
  })
  if (isMine) {
    return (
      <>
        <span className="inline-flex items-center gap-1.5 text-xs font-medium text-human max-lg:hidden" data-driving>
          <Hand aria-hidden className="size-3.5" strokeWidth={1.8} />
          {live('driving')}
        </span>
        <Button onClick={() => screen.current?.pressKey(backKey)} className="max-lg:size-11">
          <ArrowLeft aria-hidden className="size-3.5" strokeWidth={1.8} />
          <span className="max-lg:sr-only">{live('back')}</span>
        </Button>
        <Button onClick={() => screen.current?.pressKey(homeKey)} className="max-lg:size-11">
          <Circle aria-hidden className="size-3" strokeWidth={2} />
          <span className="max-lg:sr-only">{live('homeKey')}</span>
        </Button>
        {mayTake ? (
          <Button onClick={() => screen.current?.releaseLease()}>
            {t('release')} <Kbd>H</Kbd>
          </Button>
        ) : null}
      </>
    )
  }
  return (
    <>
      {holder === null ? null : <span className="cap">{live('heldBy', { name: holder.name })}</span>}
      {mayTake ? (
        <Button onClick={() => screen.current?.takeLease()} title={t('free')} data-drive>
          <Hand aria-hidden className="size-3.5" strokeWidth={1.8} />
          {t('drive')} <Kbd>T</Kbd>
        </Button>
      ) : null}
    </>
  )
}
