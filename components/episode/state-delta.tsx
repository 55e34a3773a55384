import { useTranslations } from 'next-intl'
import type { StateChange, StateDelta } from '@/server/tool/contract'

function text(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? '')
}

function Change({ change }: { change: StateChange }) {
  const t = useTranslations('episode.delta')
  switch (change.op) {
    case 'add':
      return (
        <li>
          <div className="text-ok">
            <span className="sr-only">{t('added')} </span>+ {change.path}
          </div>
          <div className="pl-3.5 break-words text-text2">{text(change.after)}</div>
        </li>
      )
    case 'remove':
      return (
        <li className="text-fail">
          <span className="sr-only">{t('removed')} </span>− {change.path}
        </li>
      )
    case 'replace':
      return (
        <li>
          <div>
            <span className="sr-only">{t('changed')} </span>~ {change.path}
          </div>
          <div className="pl-3.5 break-words text-text2">
            {text(change.before)} → <span className="text-text">{text(change.after)}</span>
          </div>
        </li>
      )
    default:
      return change satisfies never
  }
}

/** What a call changed in the phone's data. */
export function StateDeltaView({ delta }: { delta: StateDelta }) {
  const t = useTranslations('episode.delta')
  if (delta === null) return <p className="text-text2">{t('unreadable')}</p>
  if (delta.length === 0) return <p className="text-text2">{t('none')}</p>
  return (
    <ul className="mono flex flex-col gap-1 break-all">
      {delta.map((change) => (
        <Change key={`${change.op} ${change.path}`} change={change} />
      ))}
    </ul>
  )
}
