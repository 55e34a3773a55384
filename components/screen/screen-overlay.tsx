import { Hourglass, LoaderCircle, MonitorX, Unplug, WifiOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ScreenState } from './screen-messages'

const icons = {
  connecting: LoaderCircle,
  'waiting-for-key-frame': Hourglass,
  stalled: WifiOff,
  gone: Unplug,
  unsupported: MonitorX,
} as const satisfies Record<Exclude<ScreenState, 'live'>, unknown>

const explained = ['insecure', 'no-webcodecs', 'no-worker'] as const

type ScreenOverlayProps = { state: Exclude<ScreenState, 'live'>; reason: string | null; hasPicture: boolean }

/** Says why the picture is not live, over the last picture while there is one. */
export function ScreenOverlay({ state, reason, hasPicture }: ScreenOverlayProps) {
  const t = useTranslations('screen')
  const Icon = icons[state]
  const known = explained.find((each) => each === reason)
  const text = state === 'unsupported' ? t(`why.${known ?? 'codec'}`, { codec: reason ?? '' }) : reason
  return (
    <div
      role="status"
      className={`absolute inset-0 grid place-items-center p-4 text-center text-[13px] text-white ${hasPicture ? 'bg-black/55' : 'bg-[#05070a]'}`}
    >
      <div className="flex max-w-full flex-col items-center gap-2">
        <Icon aria-hidden className={`size-6 ${state === 'connecting' ? 'animate-spin' : ''}`} strokeWidth={1.6} />
        <span className="font-medium">{t(`state.${state}`)}</span>
        {text === null ? null : <span className="text-xs wrap-anywhere text-white/80">{text}</span>}
      </div>
    </div>
  )
}
