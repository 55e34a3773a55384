import { FrameDecoder } from './frame-decoder'
import { ScreenConnection } from './screen-connection'
import type { FromScreenWorker, ScreenState, ToScreenWorker } from './screen-messages'

const reportMs = 250

/** The part of a worker's global scope that is used here; TypeScript's worker library excludes the page's. */
type WorkerScope = {
  postMessage(message: FromScreenWorker): void
  onmessage: ((event: MessageEvent<ToScreenWorker>) => void) | null
  close(): void
}
const scope = globalThis as unknown as WorkerScope

/** Frames go from the socket to the canvas in here, so that a busy page never delays one. */
function startScreen(url: string, canvas: OffscreenCanvas): { send: ScreenConnection['send']; stop: () => void } {
  const context = canvas.getContext('2d', { alpha: false })
  let session: { state: ScreenState; reason: string | null } = { state: 'connecting', reason: null }
  let isOpen = false
  let isSilent = false
  let unsupported: string | null = null
  /** Drawn since the connection or the device's session began anew. */
  let hasPicture = false
  let frames = 0
  let reportTimer: ReturnType<typeof setTimeout> | null = null
  let lastState = ''

  const report = () => {
    const now = currentState()
    const key = JSON.stringify(now)
    if (key === lastState) return
    lastState = key
    scope.postMessage({ type: 'state', ...now })
  }
  const currentState = (): { state: ScreenState; reason: string | null } => {
    if (unsupported !== null) return { state: 'unsupported', reason: unsupported }
    if (!isOpen) return { state: 'connecting', reason: null }
    if (isSilent) return { state: 'stalled', reason: null }
    if (session.state === 'live' && !hasPicture) return { state: 'waiting-for-key-frame', reason: null }
    return session
  }
  const draw = (picture: VideoFrame) => {
    const { displayWidth: width, displayHeight: height } = picture
    if (frames === 0 || canvas.width !== width || canvas.height !== height) {
      canvas.width = width
      canvas.height = height
      scope.postMessage({ type: 'size', size: { width, height } })
    }
    context?.drawImage(picture, 0, 0)
    picture.close()
    frames += 1
    hasPicture = true
    reportTimer ??= setTimeout(() => {
      reportTimer = null
      scope.postMessage({ type: 'drawn', frames })
    }, reportMs)
    report()
  }
  const decoder = new FrameDecoder({
    onPicture: draw,
    onKeyFrameNeeded: () => connection.send({ type: 'reset-video' }),
    onUnsupported: (codec) => {
      unsupported = codec
      report()
    },
  })
  const connection = new ScreenConnection(url, {
    onOpen: () => {
      isOpen = true
      session = { state: 'connecting', reason: null }
      report()
    },
    onClose: () => {
      isOpen = false
      hasPicture = false
      decoder.interrupt()
      scope.postMessage({ type: 'lease', holder: null })
      report()
    },
    onSilence: (silent) => {
      isSilent = silent
      report()
    },
    onFrame: (frame) => {
      if (frame.kind === 'configuration') unsupported = null
      decoder.push(frame)
      report()
    },
    onMessage: (message) => {
      switch (message.type) {
        case 'state':
          if (message.state !== 'live') hasPicture = false
          session = { state: message.state, reason: message.reason }
          report()
          break
        case 'lease':
          scope.postMessage({ type: 'lease', holder: message.holder })
          break
        case 'refused':
          scope.postMessage({ type: 'refused', code: message.code, message: message.message })
          break
        case 'hello':
        case 'input.done':
          break
        default:
          throw new Error(`unknown message ${JSON.stringify(message satisfies never)}`)
      }
    },
  })
  return {
    send: (message) => connection.send(message),
    stop: () => {
      connection.stop()
      decoder.close()
    },
  }
}

let screen: ReturnType<typeof startScreen> | null = null
scope.onmessage = ({ data }) => {
  switch (data.type) {
    case 'start':
      screen = startScreen(data.url, data.canvas)
      break
    case 'send':
      screen?.send(data.message)
      break
    case 'stop':
      screen?.stop()
      scope.close()
      break
    default:
      throw new Error(`unknown message ${JSON.stringify(data satisfies never)}`)
  }
}
