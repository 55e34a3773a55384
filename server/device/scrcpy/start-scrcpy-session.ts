import { randomInt } from 'node:crypto'
import type { Adb, AdbSocket } from '@yume-chan/adb'
import { TaplineError } from '@/server/platform/errors'
import { parseConfiguration } from '@/server/wire/h264/configuration'
import { rewriteConfiguration } from '@/server/wire/h264/rewrite-sps'
import { type ControlMessage, encodeControlMessage } from '@/server/wire/scrcpy/control'
import { DeviceMessageParser } from '@/server/wire/scrcpy/device-message'
import { formatServerArguments } from '@/server/wire/scrcpy/server-options'
import { type VideoPacket, VideoStreamParser } from '@/server/wire/scrcpy/video'
import { deferred } from '../deferred'
import { raceAbort } from '../race-abort'
import { openFirstStream, type OpenedStream } from './open-stream'
import { pushServer, scrcpyVersion, type ServerProgram, serverPathOnDevice } from './push-server'
import { ServerOutput } from './server-output'

const startTimeoutMs = 10_000
const clipboardTimeoutMs = 1_000
const closeTimeoutMs = 1_000
/** Every browser, also one without WebCodecs, decodes Baseline; key frames are otherwise 10 s apart. */
const codecOptions = 'profile:int=1,i-frame-interval:int=2'

export type VideoConfiguration = { width: number; height: number; data: Uint8Array }
/** Frames are counted from 0 in each session. */
export type VideoFrame = { frameNumber: number; isKey: boolean; ptsUs: bigint; data: Uint8Array }

export type ScrcpySession = {
  deviceName: string
  /** Resolves when the message has been written to the device. */
  send(message: ControlMessage): Promise<void>
  /** Sets the device's clipboard and pastes it; resolves when the device has confirmed, or after 1 s. */
  paste(text: string): Promise<void>
  /** Settles once when the session is over, with what ended it; null after `close()`. */
  ended: Promise<TaplineError | null>
  close(): Promise<void>
}

export type ScrcpyListener = {
  onConfiguration(configuration: VideoConfiguration): void
  onFrame(frame: VideoFrame): void
}

type StartOptions = ScrcpyListener & { program: ServerProgram; signal: AbortSignal }

/**
 * Starts scrcpy on the device: video and control, no audio. `signal` ends the start, not the session. Throws
 * TaplineError `unavailable` with what the server printed when it does not come up.
 */
export async function startScrcpySession(adb: Adb, options: StartOptions): Promise<ScrcpySession> {
  await raceAbort(pushServer(adb, options.program), options.signal)
  try {
    return await startServer(adb, options, { video_codec_options: codecOptions })
  } catch (error) {
    // Some encoders refuse codec options (ya-webadb#379): then without them.
    if (options.signal.aborted || options.program.kind === 'built-in' || !(error instanceof ServerStartError))
      throw error
    return startServer(adb, options, {})
  }
}

/** The server itself gave up, as opposed to a device that is gone. */
class ServerStartError extends TaplineError {}

async function startServer(adb: Adb, options: StartOptions, extra: Record<string, string>): Promise<ScrcpySession> {
  const scid = randomInt(0x7fff_ffff).toString(16).padStart(8, '0')
  const program = formatServerArguments({
    version: scrcpyVersion,
    options: { scid, log_level: 'info', audio: 'false', tunnel_forward: 'true', max_fps: '60', ...extra },
  })
  const command = `CLASSPATH=${serverPathOnDevice} app_process / com.genymobile.scrcpy.Server ${program.join(' ')}`
  const process = await raceAbort(adb.subprocess.noneProtocol.spawn(command), options.signal)
  const output = new ServerOutput(process.output)
  const stopped = new AbortController()
  void output.ended.then(() => stopped.abort(new ServerStartError('unavailable', output.explain('stopped'))))
  const limit = AbortSignal.timeout(startTimeoutMs)
  const signal = AbortSignal.any([options.signal, stopped.signal, limit])
  try {
    const video = await openFirstStream(adb, `localabstract:scrcpy_${scid}`, signal)
    const control = await raceAbort(adb.createSocket(`localabstract:scrcpy_${scid}`), signal)
    return await runSession({ video, control, output, listener: options, signal, kill: async () => process.kill() })
  } catch (error) {
    await Promise.resolve(process.kill()).catch(() => undefined)
    options.signal.throwIfAborted()
    if (stopped.signal.aborted) throw stopped.signal.reason
    if (limit.aborted)
      throw new ServerStartError('unavailable', output.explain('did not start in time'), { cause: error })
    throw new TaplineError('unavailable', output.explain('broke off'), { cause: error })
  }
}

type SessionParts = {
  video: OpenedStream
  control: AdbSocket
  output: ServerOutput
  listener: ScrcpyListener
  signal: AbortSignal
  kill: () => Promise<void>
}

async function runSession({ video, control, output, listener, signal, kill }: SessionParts): Promise<ScrcpySession> {
  const pendingPastes = new Map<bigint, () => void>()
  const name = deferred<string>()
  const end = deferred<TaplineError | null>()
  const writer = control.writable.getWriter()
  let pasteSequence = 0n
  let isOver = false

  const finish = async (reason: TaplineError | null) => {
    if (isOver) return
    isOver = true
    for (const resolve of pendingPastes.values()) resolve()
    name.reject(reason ?? new TaplineError('unavailable', 'The session was closed.'))
    end.resolve(reason)
    // One socket's failure to close must not keep the others open, nor a dead connection all of them.
    const closing = Promise.allSettled([closeSocket(video.socket), closeSocket(control), kill()])
    await raceAbort(closing, AbortSignal.timeout(closeTimeoutMs)).catch(() => undefined)
  }
  const fail = (what: string) => (cause: unknown) =>
    void finish(new TaplineError('unavailable', output.explain(what), cause === undefined ? {} : { cause }))

  const frames = new FrameReader(listener, name.resolve)
  // A promise nobody waits for any more once the session stands.
  name.promise.catch(() => undefined)
  readVideo(video, frames).then(() => fail('ended the video')(undefined), fail('sent video that we cannot read'))
  readMessages(control, (sequence) => pendingPastes.get(sequence)?.()).then(
    () => fail('closed the control socket')(undefined),
    fail('sent a message that we cannot read'),
  )
  signal.throwIfAborted()
  const abort = () =>
    void finish(new TaplineError('unavailable', output.explain('did not start'), { cause: signal.reason }))
  signal.addEventListener('abort', abort, { once: true })
  let deviceName: string
  try {
    deviceName = await name.promise
  } finally {
    signal.removeEventListener('abort', abort)
  }
  void output.ended.then(() => fail('stopped')(undefined))

  const send = async (message: ControlMessage) => {
    // A write on a lost connection would hang for ever.
    const over = end.promise.then(() => {
      throw new TaplineError('unavailable', 'The screen session of the device has ended.')
    })
    const written = isOver ? over : writer.write(encodeControlMessage(message))
    written.catch(() => undefined)
    over.catch(() => undefined)
    await Promise.race([written, over])
  }
  return {
    deviceName,
    send,
    async paste(text) {
      const sequence = ++pasteSequence
      const acknowledged = new Promise<void>((resolve) => pendingPastes.set(sequence, resolve))
      let timer: NodeJS.Timeout | undefined
      try {
        await send({ type: 'set-clipboard', sequence, paste: true, text })
        const waited = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, clipboardTimeoutMs)
        })
        await Promise.race([acknowledged, waited])
      } finally {
        clearTimeout(timer)
        pendingPastes.delete(sequence)
      }
    },
    ended: end.promise,
    close: () => finish(null),
  }
}

/** Turns packets into configurations and numbered frames. */
class FrameReader {
  readonly #parser = new VideoStreamParser({ dummyByte: true, deviceName: true })
  readonly #listener: ScrcpyListener
  readonly #onName: (name: string) => void
  #nextFrameNumber = 0

  constructor(listener: ScrcpyListener, onName: (name: string) => void) {
    this.#listener = listener
    this.#onName = onName
  }

  push(chunk: Uint8Array): void {
    for (const event of this.#parser.push(chunk)) {
      switch (event.type) {
        case 'device-name':
          this.#onName(event.name)
          break
        case 'packet':
          this.#readPacket(event)
          break
        case 'header':
          // Up to 3.3 the size stands here only once: after a rotation the SPS knows, so it is always asked.
          break
        default:
          throw new Error(`unknown video event ${JSON.stringify(event satisfies never)}`)
      }
    }
  }

  #readPacket(packet: VideoPacket): void {
    if (packet.kind === 'configuration') {
      const { sps } = parseConfiguration(packet.data)
      this.#listener.onConfiguration({ width: sps.width, height: sps.height, data: rewriteConfiguration(packet.data) })
      return
    }
    const frameNumber = this.#nextFrameNumber++
    this.#listener.onFrame({ frameNumber, isKey: packet.isKey, ptsUs: packet.ptsUs, data: packet.data })
  }
}

async function readVideo(video: OpenedStream, frames: FrameReader): Promise<void> {
  let chunk: Uint8Array | undefined = video.first
  while (chunk !== undefined) {
    frames.push(chunk)
    const { done, value }: { done: boolean; value?: Uint8Array | undefined } = await video.reader.read()
    chunk = done ? undefined : value
  }
}

async function readMessages(control: AdbSocket, onAcknowledged: (sequence: bigint) => void): Promise<void> {
  const parser = new DeviceMessageParser()
  for await (const chunk of control.readable) {
    for (const message of parser.push(chunk)) {
      if (message.type === 'ack-clipboard') onAcknowledged(message.sequence)
    }
  }
}

async function closeSocket(socket: AdbSocket): Promise<void> {
  await socket.close()
}
