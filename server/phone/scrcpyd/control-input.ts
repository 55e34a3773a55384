import type { PhoneMachine } from '@/server/phone/contract'
import type { ControlMessage, TouchAction } from '@/server/wire/scrcpy/control'
import { encodeDeviceMessage } from '@/server/wire/scrcpy/device-message'
import type { Size } from './video-size'

export type ControlSurroundings = {
  machine: PhoneMachine
  /** Size of the video being sent, which touches must carry. */
  videoSize: Size
  resetVideo(): void
  /** Sends a message to the client. */
  reply(message: Uint8Array): void
  log(level: 'INFO' | 'WARN', text: string): void
}

const backKey = 4
const homeKey = 3
const pasteKey = 279
const copyKeys = { none: null, copy: 278, cut: 277 }
const pointerActions: Partial<Record<TouchAction, 'down' | 'move' | 'up' | 'cancel'>> = {
  down: 'down',
  'pointer-down': 'down',
  move: 'move',
  up: 'up',
  'pointer-up': 'up',
  cancel: 'cancel',
}

/** Does to the phone what control messages say. */
export class ControlInput {
  readonly #surroundings: ControlSurroundings
  /** Fingers that are down, with where they were last. */
  readonly #pressed = new Map<number, { x: number; y: number }>()

  constructor(surroundings: ControlSurroundings) {
    this.#surroundings = surroundings
  }

  apply(message: ControlMessage): void {
    const { machine, log } = this.#surroundings
    switch (message.type) {
      case 'inject-keycode':
        return machine.dispatch({
          type: 'key',
          action: message.action,
          keycode: message.keycode,
          metaState: message.metaState,
        })
      case 'inject-text':
        return machine.dispatch({ type: 'text', text: message.text })
      case 'inject-touch':
        return this.#touch(message)
      case 'inject-scroll': {
        const point = this.#onScreen(message)
        if (point !== null) machine.dispatch({ type: 'scroll', ...point, vertical: message.vertical })
        return
      }
      case 'back-or-screen-on':
        return machine.dispatch({ type: 'key', action: message.action, keycode: backKey, metaState: 0 })
      case 'get-clipboard': {
        const key = copyKeys[message.copyKey]
        if (key !== null) this.#press(key)
        return this.#surroundings.reply(encodeDeviceMessage({ type: 'clipboard', text: machine.clipboard() }))
      }
      case 'set-clipboard':
        machine.setClipboard(message.text)
        if (message.paste) this.#press(pasteKey)
        if (message.sequence !== 0n) {
          this.#surroundings.reply(encodeDeviceMessage({ type: 'ack-clipboard', sequence: message.sequence }))
        }
        return
      case 'start-app':
        return this.#startApp(message.name)
      case 'reset-video':
        return this.#surroundings.resetVideo()
      case 'expand-notifications':
      case 'expand-settings':
      case 'collapse-panels':
      case 'set-display-power':
      case 'rotate-device':
      case 'uhid-create':
      case 'uhid-input':
      case 'uhid-destroy':
      case 'open-hard-keyboard-settings':
        return log('INFO', `${message.type} has no effect on this device`)
      default:
        throw new Error(`unknown control message ${JSON.stringify(message satisfies never)}`)
    }
  }

  /** Lifts every finger that is still down, without a tap. */
  release(): void {
    for (const [pointerId, point] of this.#pressed) {
      this.#surroundings.machine.dispatch({ type: 'pointer', action: 'cancel', pointerId, ...point })
    }
    this.#pressed.clear()
  }

  #touch(message: ControlMessage & { type: 'inject-touch' }): void {
    const action = pointerActions[message.action]
    const point = this.#onScreen(message)
    // Hovering and mouse buttons mean nothing to a touch screen.
    if (action === undefined || point === null) return
    // Special pointers (mouse -1, finger -2) are negative; other ids are small.
    const pointerId = Number(BigInt.asIntN(53, message.pointerId))
    if (action === 'down' || (action === 'move' && this.#pressed.has(pointerId))) this.#pressed.set(pointerId, point)
    else this.#pressed.delete(pointerId)
    this.#surroundings.machine.dispatch({ type: 'pointer', action, pointerId, ...point })
  }

  /** The point on the screen, or null when it was meant for a video of another size. */
  #onScreen(message: {
    x: number
    y: number
    screenWidth: number
    screenHeight: number
  }): { x: number; y: number } | null {
    const { machine, videoSize, log } = this.#surroundings
    if (message.screenWidth !== videoSize.width || message.screenHeight !== videoSize.height) {
      const [theirs, ours] = [
        `${message.screenWidth}x${message.screenHeight}`,
        `${videoSize.width}x${videoSize.height}`,
      ]
      log('WARN', `Ignore positional event generated for size ${theirs} (current size is ${ours})`)
      return null
    }
    return {
      x: (message.x * machine.width) / videoSize.width,
      y: (message.y * machine.height) / videoSize.height,
    }
  }

  #startApp(wanted: string): void {
    const { machine, log } = this.#surroundings
    const isForced = wanted.startsWith('+')
    const name = isForced ? wanted.slice(1) : wanted
    const search = name.startsWith('?') ? name.slice(1).toLowerCase() : null
    const app = machine
      .packages()
      .find((known) => (search === null ? known.packageName === name : known.label.toLowerCase().startsWith(search)))
    if (app === undefined) return log('WARN', `No app found for "${name.slice(0, 100)}"`)
    if (isForced && machine.foreground().packageName === app.packageName) this.#press(homeKey)
    log('INFO', `Starting app "${app.label}" [${app.packageName}]...`)
    machine.dispatch({ type: 'start-app', component: app.packageName })
  }

  #press(keycode: number): void {
    const { machine } = this.#surroundings
    machine.dispatch({ type: 'key', action: 'down', keycode, metaState: 0 })
    machine.dispatch({ type: 'key', action: 'up', keycode, metaState: 0 })
  }
}
