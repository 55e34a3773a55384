import { appOf } from '@/server/phone/apps/app-list'
import { goBack, goHome, startApp } from '@/server/phone/system/back-stack'
import { pressKeyboardKey } from '@/server/phone/system/keyboard'
import { keyboardPackage, launcherPackage, systemPackage } from '@/server/phone/system/theme'
import type { UiAction } from '@/server/phone/ui/contract'
import type { PhoneState } from './phone-state'

/** Gives a widget's action to whoever the widget belongs to; one of nobody changes nothing. */
export function routeAction(state: PhoneState, action: UiAction): PhoneState {
  switch (action.app) {
    case systemPackage:
      return action.type === 'back' ? goBack(state) : action.type === 'home' ? goHome(state) : state
    case keyboardPackage:
      return pressKeyboardKey(state, action.key)
    case launcherPackage: {
      const app = typeof action.packageName === 'string' ? appOf(action.packageName) : null
      return app === null ? state : startApp(state, app.packageName)
    }
    default:
      return appOf(action.app)?.reduceAction(state, action) ?? state
  }
}
