import { exitWithParent } from '../parent-watch'
import { stopSignal } from '../stop-signal'

/** A child for tests: says what happens to it on stdout, and stops when asked to or when its parent is gone. */
exitWithParent()
const stopping = stopSignal()
process.stdout.write('running\n')
const busy = setInterval(() => undefined, 1_000)
stopping.addEventListener('abort', () => {
  clearInterval(busy)
  process.stdout.write('stopped\n')
})
