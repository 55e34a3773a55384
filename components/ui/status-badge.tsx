import { Check, CircleHelp, CircleSlash, Hand, Hourglass, Pause, ShieldQuestion, Square, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { EpisodeStatus } from '@/server/trajectory/contract'

const looks = {
  queued: { colour: 'text-idle', Icon: Hourglass },
  running: { colour: 'text-accent', Icon: null },
  waiting: { colour: 'text-wait', Icon: CircleHelp },
  paused: { colour: 'text-idle', Icon: Pause },
  'taken-over': { colour: 'text-human', Icon: Hand },
  succeeded: { colour: 'text-ok', Icon: Check },
  failed: { colour: 'text-fail', Icon: X },
  unverified: { colour: 'text-wait', Icon: ShieldQuestion },
  stopped: { colour: 'text-idle', Icon: Square },
  interrupted: { colour: 'text-fail', Icon: CircleSlash },
} as const satisfies Record<EpisodeStatus, unknown>

/** A status as colour, icon and word; `quiet` leaves out the tinted ground, for tables. */
export function StatusBadge({ status, quiet = false }: { status: EpisodeStatus; quiet?: boolean }) {
  const t = useTranslations('status')
  const { colour, Icon } = looks[status]
  return (
    <span
      data-status={status}
      className={`inline-flex h-5 shrink-0 items-center gap-1.5 rounded-full text-xs font-medium whitespace-nowrap ${colour} ${quiet ? '' : 'bg-current/8 px-2'}`}
    >
      {Icon === null ? (
        <span aria-hidden className="size-[7px] animate-pulse rounded-full bg-current" />
      ) : (
        <Icon aria-hidden className="size-3.5" strokeWidth={1.8} />
      )}
      {t(status)}
    </span>
  )
}
