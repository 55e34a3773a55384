import type { TouchMessage } from '@/server/wire/gateway/messages'
import type { ControlMessage } from '@/server/wire/scrcpy/control'

type Point = { x: number; y: number; width: number; height: number }

/** The fingers that are down on a device, so that none stays down when who put it there is gone. */
export class Pointers {
  readonly #down = new Map<number, Point>()

  /**
   * The message for the device, after which the finger counts as moved; null for a touch that makes no sense: off the
   * frame, a second down, or a move, up or cancel of a finger that isn't down.
   */
  accept(touch: TouchMessage): ControlMessage | null {
    const { action, pointerId, x, y, width, height } = touch
    if (x >= width || y >= height) return null
    if (this.#down.has(pointerId) === (action === 'down')) return null
    if (action === 'down' || action === 'move') this.#down.set(pointerId, { x, y, width, height })
    else this.#down.delete(pointerId)
    return touchMessageOf(action, pointerId, { x, y, width, height })
  }

  /** One `up` for each finger that is down; none is down afterwards. `size` is the video's now, which the device checks. */
  releaseAll(size: { width: number; height: number } | null): ControlMessage[] {
    const ups = [...this.#down].map(([pointerId, point]) => {
      const { width, height } = size ?? point
      const at = { x: Math.min(point.x, width - 1), y: Math.min(point.y, height - 1), width, height }
      return touchMessageOf('up', pointerId, at)
    })
    this.#down.clear()
    return ups
  }

  /** Forgets the fingers: the session they touched is over. */
  clear(): void {
    this.#down.clear()
  }
}

function touchMessageOf(action: TouchMessage['action'], pointerId: number, at: Point): ControlMessage {
  return {
    type: 'inject-touch',
    action,
    pointerId: BigInt(pointerId),
    x: at.x,
    y: at.y,
    screenWidth: at.width,
    screenHeight: at.height,
    pressure: action === 'down' || action === 'move' ? 1 : 0,
    actionButton: 0,
    buttons: 0,
  }
}
