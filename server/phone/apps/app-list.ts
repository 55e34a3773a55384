import type { PhoneApp } from './app-definition'
import { messagesApp } from './messages/messages-app'

/** Every app of the phone, in the order of the home screen. */
export const appList: readonly PhoneApp[] = [messagesApp]

/** The app of a package; null when there is none. */
export function appOf(packageName: string | null | undefined): PhoneApp | null {
  return appList.find((app) => app.packageName === packageName) ?? null
}
