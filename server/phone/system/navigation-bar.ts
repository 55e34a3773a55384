import type { PhoneState } from '@/server/phone/state/phone-state'
import type { Colour, IconName, UiAction, Widget } from '@/server/phone/ui/contract'
import { colours, systemPackage } from './theme'
import { isPressed } from './widgets'

/** Back and home, at the bottom of every screen; back becomes "hide keyboard" while there is one. */
export function navigationBarView(state: PhoneState, background: Colour | null): Widget {
  const back = state.ui.keyboard.isOpen ? 'hide-keyboard' : 'back'
  return {
    kind: 'box',
    style: {
      width: '100%',
      height: '100%',
      direction: 'row',
      justify: 'center',
      gap: 120,
      ...(background === null ? {} : { background }),
    },
    children: [
      navigationButton(state, back, 'Back', 'nav_back', { app: systemPackage, type: 'back' }),
      navigationButton(state, 'home', 'Home', 'nav_home', { app: systemPackage, type: 'home' }),
    ],
  }
}

function navigationButton(state: PhoneState, icon: IconName, description: string, id: string, onTap: UiAction): Widget {
  const pressed = isPressed(state.ui.pointer?.action ?? null, onTap)
  return {
    kind: 'box',
    id,
    className: 'android.widget.ImageView',
    description,
    onTap,
    style: {
      width: 120,
      height: '100%',
      radius: 24,
      align: 'center',
      justify: 'center',
      ...(pressed ? { background: '#15181c1f' } : {}),
    },
    children: [{ kind: 'icon', icon, size: 28, colour: colours.secondary }],
  }
}
