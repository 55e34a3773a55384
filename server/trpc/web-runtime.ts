import { openRuntime, type Runtime } from './runtime'

const key = Symbol.for('tapline.web-runtime')
type Holder = { [key]?: Promise<Runtime> }

/** The web process's runtime: Next loads route bundles apart from each other, so it hangs on the process. */
export function webRuntime(): Promise<Runtime> {
  const holder = globalThis as Holder
  holder[key] ??= openRuntime('web', { canFollow: false })
  return holder[key]
}
