import { appList } from '@/server/phone/apps/app-list'
import type { PhoneApp } from '@/server/phone/apps/app-definition'
import { formatDate, formatTime } from '@/server/phone/state/local-time'
import type { PhoneState } from '@/server/phone/state/phone-state'
import type { UiAction, Widget } from '@/server/phone/ui/contract'
import { launcherPackage, navigationBarHeight, statusBarHeight } from './theme'
import { isPressed, label } from './widgets'

/** The home screen: a clock on a soft wallpaper and the apps in a dock, four in a row. */
export function launcherView(state: PhoneState): Widget {
  return {
    kind: 'box',
    style: {
      width: '100%',
      height: '100%',
      direction: 'column',
      gradient: ['#dbe7ff', '#f4ece4'],
      padding: [statusBarHeight + 84, 40, navigationBarHeight + 24, 40],
    },
    children: [
      {
        kind: 'box',
        id: 'clock_widget',
        style: { direction: 'column', shrink: 0, gap: 4 },
        children: [
          label(formatTime(state.clock.now), {
            size: 104,
            lineHeight: 112,
            weight: 500,
            letterSpacing: -4,
            colour: '#14202f',
          }),
          label(formatDate(state.clock.now), { size: 27, lineHeight: 38, weight: 500, colour: '#3c4656' }),
        ],
      },
      { kind: 'box', style: { grow: 1 } },
      {
        kind: 'box',
        id: 'dock',
        style: {
          direction: 'row',
          wrap: true,
          justify: 'center',
          shrink: 0,
          gap: 20,
          padding: [22, 20, 18, 20],
          radius: 44,
          background: '#ffffff8c',
        },
        children: appList.map((app) => appIcon(state, app)),
      },
    ],
  }
}

function appIcon(state: PhoneState, app: PhoneApp): Widget {
  const onTap: UiAction = { app: launcherPackage, type: 'start-app', packageName: app.packageName }
  const pressed = isPressed(state.ui.pointer?.action ?? null, onTap)
  return {
    kind: 'box',
    key: app.packageName,
    id: `app_${app.packageName.split('.').at(-1)}`,
    className: 'android.widget.TextView',
    description: app.label,
    onTap,
    style: { direction: 'column', align: 'center', width: 110, gap: 10, ...(pressed ? { opacity: 0.7 } : {}) },
    children: [
      {
        kind: 'box',
        style: {
          width: 92,
          height: 92,
          radius: 26,
          align: 'center',
          justify: 'center',
          gradient: app.icon.background,
          shadow: 'low',
        },
        children: [{ kind: 'icon', icon: app.icon.icon, size: 46, colour: app.icon.colour }],
      },
      label(app.label, { size: 20, lineHeight: 28, weight: 500, align: 'center', maxLines: 1, colour: '#1d2733' }),
    ],
  }
}
