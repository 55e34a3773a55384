import { CommandError } from '@/server/phone/shell/command'

/** The only version there is: client and server of scrcpy must be the same. */
const serverVersion = '3.3.3'

export type ScrcpyOptions = {
  /** Name of the abstract socket. */
  socketName: string
  video: boolean
  audio: boolean
  control: boolean
  tunnelForward: boolean
  /** Longest side of the video in pixels; 0 leaves the screen's size. */
  maxSize: number
  /** Frames a second; 0 means no limit of the client's. */
  maxFps: number
  sendDeviceMeta: boolean
  sendFrameMeta: boolean
  sendDummyByte: boolean
  sendCodecMeta: boolean
  list: 'encoders' | 'displays' | 'apps' | 'cameras' | null
}

/** Reads `VERSION key=value…` with upstream's defaults (`Options.java` at 3.3.3). Throws CommandError as upstream fails. */
export function readServerOptions(args: readonly string[]): { options: ScrcpyOptions; warnings: string[] } {
  const [version, ...rest] = args
  if (version === undefined) throw new CommandError('Missing client version')
  if (version !== serverVersion) {
    throw new CommandError(`The server version (${serverVersion}) does not match the client (${version})`)
  }
  const values = new Map<string, string>()
  for (const argument of rest) {
    const separator = argument.indexOf('=')
    if (separator < 1) throw new CommandError(`Invalid key=value pair: "${argument}"`)
    values.set(argument.slice(0, separator), argument.slice(separator + 1))
  }
  const isOn = (key: string, fallback: boolean) => (values.has(key) ? values.get(key) === 'true' : fallback)
  const isRaw = isOn('raw_stream', false)
  const isVideoSupported = (values.get('video_codec') ?? 'h264') === 'h264'
  if (!isVideoSupported) throw new CommandError(`Video codec ${values.get('video_codec')} not supported: use h264`)
  if ((values.get('video_source') ?? 'display') !== 'display') throw new CommandError('This device has no camera')
  const options: ScrcpyOptions = {
    socketName: socketName(values.get('scid') ?? '-1'),
    video: isOn('video', true),
    audio: isOn('audio', true),
    control: isOn('control', true),
    tunnelForward: isOn('tunnel_forward', false),
    maxSize: wholeNumber(values, 'max_size'),
    maxFps: Number(values.get('max_fps') ?? 0),
    sendDeviceMeta: isOn('send_device_meta', !isRaw),
    sendFrameMeta: isOn('send_frame_meta', !isRaw),
    sendDummyByte: isOn('send_dummy_byte', !isRaw),
    sendCodecMeta: isOn('send_codec_meta', !isRaw),
    list: listWanted(values),
  }
  if (!Number.isFinite(options.maxFps) || options.maxFps < 0) {
    throw new CommandError(`Invalid float value for max_fps: "${values.get('max_fps')}"`)
  }
  const warnings = [...values.keys()].filter((key) => !knownKeys.has(key)).map((key) => `Unknown server option: ${key}`)
  return { options, warnings }
}

function socketName(scid: string): string {
  if (scid === '-1') return 'scrcpy'
  if (!/^[0-7]?[0-9a-f]{1,7}$/i.test(scid)) throw new CommandError(`Invalid scid: "${scid}"`)
  return `scrcpy_${scid.toLowerCase().padStart(8, '0')}`
}

function wholeNumber(values: Map<string, string>, key: string): number {
  const text = values.get(key) ?? '0'
  if (!/^\d{1,5}$/.test(text)) throw new CommandError(`Invalid integer value for ${key}: "${text}"`)
  return Number(text)
}

function listWanted(values: Map<string, string>): ScrcpyOptions['list'] {
  if (values.get('list_encoders') === 'true') return 'encoders'
  if (values.get('list_displays') === 'true') return 'displays'
  if (values.get('list_apps') === 'true') return 'apps'
  return values.get('list_cameras') === 'true' || values.get('list_camera_sizes') === 'true' ? 'cameras' : null
}

/** All options of 3.3.3; what a virtual screen has no use for is accepted and has no effect. */
const knownKeys = new Set(
  (
    'scid log_level video audio video_codec audio_codec video_source audio_source audio_dup max_size video_bit_rate ' +
    'audio_bit_rate max_fps angle tunnel_forward crop control display_id show_touches stay_awake screen_off_timeout ' +
    'video_codec_options audio_codec_options video_encoder audio_encoder power_off_on_close clipboard_autosync ' +
    'downsize_on_error cleanup power_on list_encoders list_displays list_cameras list_camera_sizes list_apps camera_id ' +
    'camera_size camera_facing camera_ar camera_fps camera_high_speed new_display vd_destroy_content ' +
    'vd_system_decorations capture_orientation display_ime_policy send_device_meta send_frame_meta send_dummy_byte ' +
    'send_codec_meta raw_stream'
  ).split(' '),
)
