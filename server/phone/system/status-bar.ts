import { formatTime } from '@/server/phone/state/local-time'
import type { PhoneState } from '@/server/phone/state/phone-state'
import type { Colour, Widget } from '@/server/phone/ui/contract'
import { colours } from './theme'
import { label } from './widgets'

/** A simulated battery neither drains nor charges. */
const batteryPercent = 82

/** Time, network and battery; `background` is null over the wallpaper. */
export function statusBarView(state: PhoneState, background: Colour | null): Widget {
  const { airplaneMode } = state.data.system
  const textStyle = { size: 21, lineHeight: 28, weight: 600 } as const
  return {
    kind: 'box',
    style: {
      width: '100%',
      height: '100%',
      direction: 'row',
      align: 'center',
      gap: 8,
      padding: [4, 30, 0, 32],
      ...(background === null ? {} : { background }),
    },
    children: [
      label(formatTime(state.clock.now), textStyle, { id: 'clock', style: { grow: 1 } }),
      ...(airplaneMode
        ? [{ kind: 'icon', icon: 'airplane', size: 26, colour: colours.text, description: 'Airplane mode' } as const]
        : [
            label('5G', { size: 19, lineHeight: 28, weight: 600 }),
            { kind: 'icon', icon: 'signal', size: 24, colour: colours.text, description: 'Signal full' } as const,
          ]),
      {
        kind: 'icon',
        icon: 'battery',
        size: 28,
        colour: colours.text,
        description: `Battery ${batteryPercent} percent`,
      },
      label(String(batteryPercent), { size: 19, lineHeight: 28, weight: 600 }),
    ],
  }
}
