import type { PhoneMachine } from '@/server/phone/contract'
import type { Rect } from '@/server/phone/ui/contract'

const maxPendingRects = 64

export type ScreenSubscription = {
  /** Brings the screen up to date; returns what changed since this subscriber's last call, at first everything. */
  take(): Rect[]
  close(): void
}

/**
 * The one reader of the phone's damage, which `screen.render()` tells only once: it hands it on to every recorder and keeps
 * screenshots from eating it.
 */
export class ScreenFeed {
  readonly #machine: PhoneMachine
  readonly #pending = new Set<Rect[]>()

  constructor(machine: PhoneMachine) {
    this.#machine = machine
  }

  subscribe(): ScreenSubscription {
    const pending: Rect[] = [this.#whole()]
    this.#pending.add(pending)
    return {
      take: () => {
        this.#refresh()
        return pending.splice(0)
      },
      close: () => this.#pending.delete(pending),
    }
  }

  png(): Buffer {
    this.#refresh()
    return this.#machine.screen.png()
  }

  rgba(rect: Rect = this.#whole()): Uint8ClampedArray {
    return this.#machine.screen.rgba(rect)
  }

  /** The whole screen as it is now. */
  currentRgba(): Uint8ClampedArray {
    this.#refresh()
    return this.rgba()
  }

  #refresh(): void {
    const damage = this.#machine.screen.render()
    for (const pending of this.#pending) {
      pending.push(...damage)
      // A subscriber that reads nothing for long gets one box around it all.
      if (pending.length > maxPendingRects) pending.splice(0, pending.length, boxAround(pending))
    }
  }

  #whole(): Rect {
    return { x: 0, y: 0, width: this.#machine.width, height: this.#machine.height }
  }
}

function boxAround(rects: readonly Rect[]): Rect {
  const x = Math.min(...rects.map((rect) => rect.x))
  const y = Math.min(...rects.map((rect) => rect.y))
  const right = Math.max(...rects.map((rect) => rect.x + rect.width))
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height))
  return { x, y, width: right - x, height: bottom - y }
}
