import type { PhoneMachine } from '@/server/phone/contract'

/** A finger that finds its way by the UI tree alone, as somebody outside the phone does. */
export function createFinger(machine: PhoneMachine) {
  const pointer = (action: 'down' | 'move' | 'up', x: number, y: number) =>
    machine.dispatch({ type: 'pointer', action, pointerId: 0, x, y })

  /** Centre of the widget with a resource id, or null when it is not on screen. */
  const find = (id: string): { x: number; y: number } | null => {
    const node = machine
      .hierarchyXml()
      .match(/<node [^>]*>/g)
      ?.find((tag) => new RegExp(`resource-id="[^"]*:id/${id}"`).test(tag))
    const bounds = node
      ?.match(/bounds="\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]"/)
      ?.slice(1)
      .map(Number)
    if (bounds === undefined) return null
    const [left = 0, top = 0, right = 0, bottom = 0] = bounds
    return { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) }
  }

  const centreOf = (id: string) => {
    const centre = find(id)
    if (centre === null) throw new Error(`${id} is not on screen:\n${machine.hierarchyXml()}`)
    return centre
  }

  return {
    pointer,
    find,
    centreOf,
    tap(id: string) {
      const { x, y } = centreOf(id)
      pointer('down', x, y)
      pointer('up', x, y)
    },
    drag(x: number, fromY: number, toY: number) {
      pointer('down', x, fromY)
      for (let step = 1; step <= 8; step++) pointer('move', x, fromY + ((toY - fromY) * step) / 8)
      pointer('up', x, toY)
    },
    text(text: string) {
      machine.dispatch({ type: 'text', text })
    },
    key(keycode: number, metaState = 0) {
      machine.dispatch({ type: 'key', action: 'down', keycode, metaState })
      machine.dispatch({ type: 'key', action: 'up', keycode, metaState })
    },
    wait(ms: number) {
      machine.dispatch({ type: 'tick', ms })
    },
  }
}
