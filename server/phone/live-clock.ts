import type { PhoneEvent, PhoneMachine } from './contract'

const idleTickMs = 1_000
const animationTickMs = 1_000 / 60

export type LivePhone = {
  /** The same phone, whose clock is brought up to date before whatever happens to it. */
  machine: PhoneMachine
  stop(): void
}

/**
 * Lets real time pass for a phone: a tick once a second, 60 a second while something moves, and one before each event, so
 * that a swipe's points lie as far apart in the phone's time as in ours. `now` is a monotonic clock in ms.
 */
export function startLiveClock(machine: PhoneMachine, now: () => number = () => performance.now()): LivePhone {
  let tickedAt = now()
  let timer: NodeJS.Timeout | undefined
  let dueAt = 0

  const catchUp = () => {
    const elapsedMs = Math.floor(now() - tickedAt)
    if (elapsedMs < 1) return
    // The fraction stays for the next tick: the phone's clock does not fall behind.
    tickedAt += elapsedMs
    machine.dispatch({ type: 'tick', ms: elapsedMs })
  }
  const schedule = () => {
    const wantedAt = now() + (machine.isAnimating() ? animationTickMs : idleTickMs)
    // An earlier tick is kept: it does no harm and looks again.
    if (timer !== undefined && dueAt <= wantedAt) return
    clearTimeout(timer)
    dueAt = wantedAt
    timer = setTimeout(onTimer, Math.max(1, wantedAt - now()))
  }
  const onTimer = () => {
    timer = undefined
    catchUp()
    schedule()
  }
  const unsubscribe = machine.onChange(schedule)
  schedule()

  const live: PhoneMachine = {
    width: machine.width,
    height: machine.height,
    screen: machine.screen,
    state: () => machine.state(),
    dispatch(event: PhoneEvent) {
      if (event.type !== 'tick') catchUp()
      machine.dispatch(event)
    },
    callTool(name, input) {
      catchUp()
      return machine.callTool(name, input)
    },
    tools: () => machine.tools(),
    reset(seed) {
      machine.reset(seed)
      tickedAt = now()
    },
    snapshot: () => machine.snapshot(),
    restore(snapshot) {
      machine.restore(snapshot)
      tickedAt = now()
    },
    hashes: () => machine.hashes(),
    now: () => machine.now(),
    foreground: () => machine.foreground(),
    packages: () => machine.packages(),
    hierarchyXml: () => machine.hierarchyXml(),
    isAnimating: () => machine.isAnimating(),
    clipboard: () => machine.clipboard(),
    setClipboard: (text) => machine.setClipboard(text),
    onChange: (listener) => machine.onChange(listener),
  }
  return {
    machine: live,
    stop() {
      clearTimeout(timer)
      unsubscribe()
    },
  }
}
