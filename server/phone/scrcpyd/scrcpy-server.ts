import type { AbstractSockets } from '@/server/phone/adbd/abstract-sockets'
import type { ServiceStream } from '@/server/phone/adbd/service-stream'
import type { PhoneMachine } from '@/server/phone/contract'
import { BrokenPipeError, type ByteSink } from '@/server/phone/shell/byte-pipe'
import { CommandError, print } from '@/server/phone/shell/command'
import { ControlMessageParser } from '@/server/wire/scrcpy/control'
import { encodeDeviceName } from '@/server/wire/scrcpy/video'
import { WireError } from '@/server/wire/wire-error'
import { ControlInput } from './control-input'
import type { ScreenFeed } from './screen-feed'
import { readServerOptions, type ScrcpyOptions } from './server-options'
import { videoSizeOf } from './video-size'
import { VideoStreamer } from './video-streamer'

export type ScrcpyServerPhone = {
  machine: PhoneMachine
  feed: ScreenFeed
  sockets: AbstractSockets
  /** Device name in the video stream. */
  name: string
}

const androidVersion = 14
/** Audio codec 0: disabled by the device, the client goes on without. */
const audioDisabled = new Uint8Array(4)

/**
 * The other end of `app_process / com.genymobile.scrcpy.Server VERSION key=value…`: scrcpy 3.3.3 in forward mode. Returns the
 * exit code when one of the session's sockets or the shell closes. What it says goes to `output` as `[server] LEVEL: …`.
 */
export async function runScrcpyServer(
  args: readonly string[],
  output: ByteSink,
  signal: AbortSignal,
  phone: ScrcpyServerPhone,
): Promise<number> {
  const say = (level: 'INFO' | 'WARN' | 'ERROR', text: string) => {
    // Nobody has to read the log of a session that goes on without it.
    print(output, `[server] ${level}: ${text}\n`).catch(() => {})
  }
  try {
    const { options, warnings } = readServerOptions(args)
    for (const warning of warnings) say('WARN', warning)
    if (options.list !== null) {
      say('INFO', listOf(options.list, phone))
      return 0
    }
    say('INFO', `Device: [Tapline] Tapline ${phone.name} (Android ${androidVersion})`)
    await new ScrcpySession(options, phone, say).run(signal)
    return 0
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    say('ERROR', `Exception on thread Thread[main,5,main]\njava.lang.IllegalArgumentException: ${error.message}`)
    return 1
  }
}

function listOf(list: NonNullable<ScrcpyOptions['list']>, phone: ScrcpyServerPhone): string {
  const { width, height } = phone.machine
  switch (list) {
    case 'encoders':
      return 'List of video encoders:\n    --video-codec=h264 --video-encoder=tapline.h264.baseline  (sw)\nList of audio encoders:\n    (none)'
    case 'displays':
      return `List of displays:\n    --display-id=0    (${width}x${height})`
    case 'apps': {
      const apps = phone.machine.packages().map(({ label, packageName }) => `\n - ${label.padEnd(30)} ${packageName}`)
      return `List of apps:${apps.join('')}`
    }
    case 'cameras':
      return 'List of cameras:\n    (none)'
    default:
      throw new Error(`unknown list ${String(list satisfies never)}`)
  }
}

type SocketKind = 'video' | 'audio' | 'control'

class ScrcpySession {
  readonly #options: ScrcpyOptions
  readonly #phone: ScrcpyServerPhone
  readonly #say: (level: 'INFO' | 'WARN' | 'ERROR', text: string) => void
  readonly #end = new AbortController()
  readonly #ended = new Promise<void>((resolve) => {
    this.#end.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  readonly #streams = new Map<SocketKind, ServiceStream>()
  #streamer: VideoStreamer | undefined

  constructor(
    options: ScrcpyOptions,
    phone: ScrcpyServerPhone,
    say: (level: 'INFO' | 'WARN' | 'ERROR', text: string) => void,
  ) {
    this.#options = options
    this.#phone = phone
    this.#say = say
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!this.#options.tunnelForward)
      throw new CommandError('Connection refused: this device only accepts tunnel_forward=true')
    const finish = () => this.#end.abort(new BrokenPipeError('The scrcpy session is over'))
    signal.addEventListener('abort', finish, { once: true })
    try {
      if (signal.aborted) return
      await this.#acceptAll()
      await Promise.all([this.#serveVideo(), this.#serveControl(), this.#ended])
    } finally {
      finish()
      signal.removeEventListener('abort', finish)
    }
  }

  /** Waits for the client's sockets, in the order video, audio, control. */
  async #acceptAll(): Promise<void> {
    const options = this.#options
    const expected = (['video', 'audio', 'control'] as const).filter((kind) => options[kind])
    if (expected.length === 0) throw new CommandError('No video, no audio, no control: nothing to do')
    let accepted = () => {}
    const all = new Promise<void>((resolve) => (accepted = resolve))
    const stopListening = this.#phone.sockets.listen(options.socketName, async (stream) => {
      const kind = expected[this.#streams.size]
      // A socket too many in the moment before the last was taken.
      if (kind === undefined || this.#end.signal.aborted) return
      const isFirst = this.#streams.size === 0
      this.#streams.set(kind, stream)
      // One socket gone ends the session, as upstream.
      stream.signal.addEventListener('abort', () => this.#end.abort(stream.signal.reason), { once: true })
      if (isFirst && options.sendDummyByte) await stream.write(new Uint8Array(1))
      if (this.#streams.size === expected.length) accepted()
      await this.#ended
    })
    if (stopListening === null) throw new CommandError(`Address already in use: ${options.socketName}`)
    try {
      await Promise.race([all, this.#ended])
    } finally {
      stopListening()
    }
    if (this.#end.signal.aborted) return
    const first = expected.map((kind) => this.#streams.get(kind))[0]
    if (options.sendDeviceMeta) await first?.write(encodeDeviceName(this.#phone.name))
    if (options.sendCodecMeta) await this.#streams.get('audio')?.write(audioDisabled)
  }

  async #serveVideo(): Promise<void> {
    const stream = this.#streams.get('video')
    if (stream === undefined || this.#end.signal.aborted) return
    const { machine, feed } = this.#phone
    this.#streamer = new VideoStreamer(machine, feed, this.#options, videoSizeOf(machine, this.#options.maxSize))
    try {
      await this.#streamer.run(stream, this.#end.signal)
    } catch (error) {
      this.#end.abort(error)
      if (!(error instanceof BrokenPipeError)) throw error
    }
  }

  async #serveControl(): Promise<void> {
    const stream = this.#streams.get('control')
    if (stream === undefined || this.#end.signal.aborted) return
    const { machine } = this.#phone
    const input = new ControlInput({
      machine,
      videoSize: videoSizeOf(machine, this.#options.maxSize),
      resetVideo: () => this.#streamer?.reset(),
      reply: (message) => void stream.write(message).catch(() => {}),
      log: (level, text) => this.#say(level, text),
    })
    try {
      // A client that keeps its control socket open must not keep a finished session.
      await Promise.race([this.#readControl(stream, input), this.#ended])
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      this.#say('ERROR', `Controller error: ${error.message}`)
    } finally {
      input.release()
      this.#end.abort(new BrokenPipeError('The control socket is closed'))
    }
  }

  async #readControl(stream: ServiceStream, input: ControlInput): Promise<void> {
    const parser = new ControlMessageParser()
    for (let chunk = await stream.read(); chunk !== null; chunk = await stream.read()) {
      if (this.#end.signal.aborted) return
      for (const message of parser.push(chunk)) input.apply(message)
    }
  }
}
