'use client'

import { ImageOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Observation, Step } from '@/server/trajectory/contract'
import { toFraction } from '@/server/trajectory/model/coordinates'

const percent = (fraction: number) => `${(fraction * 100).toFixed(2)}%`

/** Where fingers went in a step: a ring for what was executed, a dashed dot where the planner meant another place. */
export function TouchMarkers({ step }: { step: Step }) {
  const touches = step.calls.flatMap((call) => call.touches)
  return (
    <>
      {touches.flatMap((touch, touchIndex) =>
        touch.executed.map((executed, pointIndex) => {
          const at = toFraction(executed)
          const said = touch.points[pointIndex]
          const meant = said === undefined ? null : toFraction(said)
          const differs = meant !== null && Math.hypot(meant.x - at.x, meant.y - at.y) > 0.01
          return (
            <span key={`${touchIndex}-${pointIndex}`} data-touch={touch.gesture}>
              <span
                className="pointer-events-none absolute -m-[17px] size-[34px] rounded-full border-2 border-accent bg-accent/10 ring-[5px] ring-accent/15"
                style={{ left: percent(at.x), top: percent(at.y) }}
              />
              {differs && meant !== null ? (
                <span
                  className="pointer-events-none absolute -m-[5px] size-2.5 rounded-full border-[1.5px] border-dashed border-wait"
                  style={{ left: percent(meant.x), top: percent(meant.y) }}
                />
              ) : null}
            </span>
          )
        }),
      )}
    </>
  )
}

type StepScreenProps = { step: Step; observation: Observation | null; showTouches: boolean }

/** The recorded screen of a step, in the phone's frame. */
export function StepScreen({ step, observation, showTouches }: StepScreenProps) {
  const t = useTranslations('episode')
  const width = observation?.width ?? 540
  const height = observation?.height ?? 1200
  return (
    <div
      className="relative h-full rounded-[30px] bg-[#05070a] p-[7px] shadow-[var(--shadow)] outline outline-[var(--bezel-line)]"
      style={{ aspectRatio: `${width + 14} / ${height + 14}` }}
    >
      <div className="relative size-full overflow-hidden rounded-[24px] bg-[#101317]">
        {observation?.screen == null ? (
          <p className="grid size-full place-items-center p-6 text-center text-xs text-[#9aa4b2]">
            <span>
              <ImageOff aria-hidden className="mx-auto mb-2 size-5" strokeWidth={1.6} />
              {t('noScreen')}
            </span>
          </p>
        ) : (
          // The bytes are an artefact behind the session's cookie: Next's image service has nothing to add.
          // eslint-disable-next-line @next/next/no-img-element
          <img
            src={`/api/artefacts/${observation.screen}`}
            alt={t('screenAlt', { number: step.number, app: observation.app ?? t('unknownApp') })}
            width={width}
            height={height}
            className="size-full"
            draggable={false}
          />
        )}
        {showTouches ? <TouchMarkers step={step} /> : null}
      </div>
    </div>
  )
}
