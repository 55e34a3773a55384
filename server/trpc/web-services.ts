import { readEnvironment } from '@/server/platform/env'
import { openServices, type Services } from '@/server/platform/services'

const key = Symbol.for('tapline.web-services')
type Holder = { [key]?: Promise<Services> }

/** The services Next's routes and pages share: Next loads their bundles apart, so they hang on the process. */
export function webServices(): Promise<Services> {
  const holder = globalThis as Holder
  holder[key] ??= openServices('web', readEnvironment())
  return holder[key]
}
