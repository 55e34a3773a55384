import type { Adb } from '@yume-chan/adb'
import { ReadableStream } from '@yume-chan/stream-extra'
import { z } from 'zod'
import { runShell } from '@/server/device/adb/run-shell'
import { TaplineError } from '@/server/platform/errors'

const windowDump = '/data/local/tmp/tapline-window.xml'
const snapshotFile = '/data/local/tmp/tapline-snapshot.json'

const stateJson = z.object({
  data: z.unknown(),
  ui: z.unknown(),
  clock: z.looseObject({ now: z.number() }),
})
const snapshotJson = z.looseObject({ state: z.looseObject({ data: z.unknown() }) })
const hashesJson = z.object({ stateHash: z.string() })
export type ReadableState = z.infer<typeof stateJson>

/** The state of a virtual phone; null on a device without the `tapline` command. */
export async function readState(adb: Adb, signal: AbortSignal): Promise<ReadableState | null> {
  const answer = await runShell(adb, ['tapline', 'state'], { signal })
  if (answer.exitCode !== 0) return null
  return parseJson(stateJson, answer.stdout, 'tapline state')
}

/** SHA-256 of the whole state; null on a device without the `tapline` command. */
export async function readStateHash(adb: Adb, signal: AbortSignal): Promise<string | null> {
  const answer = await runShell(adb, ['tapline', 'hash'], { signal })
  if (answer.exitCode !== 0) return null
  return parseJson(hashesJson, answer.stdout, 'tapline hash').stateHash
}

/** Resets a virtual phone to a seed and changes its data; gives the data after that, null on any other device. */
export async function setUpPhone(
  adb: Adb,
  options: { seed: number; setUp: (data: unknown) => unknown },
  signal: AbortSignal,
): Promise<unknown> {
  const reset = await runShell(adb, ['tapline', 'reset', '--seed', String(options.seed)], { signal })
  if (reset.exitCode === 127 || reset.exitCode === null) return null
  if (reset.exitCode !== 0)
    throw new TaplineError('unavailable', `The phone refused to be reset: ${reset.stderr.trim()}`)
  const snapshot = await runShell(adb, ['tapline', 'snapshot'], { signal })
  const parsed = parseJson(snapshotJson, snapshot.stdout, 'tapline snapshot')
  const data = options.setUp(parsed.state.data)
  const changed = JSON.stringify({ ...parsed, state: { ...parsed.state, data } })
  await pushFile(adb, snapshotFile, Buffer.from(changed))
  const restore = await runShell(adb, ['tapline', 'restore', snapshotFile], { signal })
  if (restore.exitCode !== 0) {
    throw new TaplineError('unavailable', `The phone refused the task's state: ${restore.stderr.trim()}`)
  }
  return (await readState(adb, signal))?.data ?? null
}

/** What is on screen as uiautomator sees it. */
export async function readTree(adb: Adb, signal: AbortSignal): Promise<string> {
  const dump = await runShell(adb, ['uiautomator', 'dump', windowDump], { signal })
  if (dump.exitCode !== 0) throw new TaplineError('unavailable', `uiautomator failed: ${dump.stderr.trim()}`)
  const { stdout } = await runShell(adb, ['cat', windowDump], { signal })
  return stdout
}

export type Foreground = { app: string; activity: string }

/** The app in front, from dumpsys; null where it does not tell. */
export async function readForeground(adb: Adb, signal: AbortSignal): Promise<Foreground | null> {
  const activities = await runShell(adb, ['dumpsys', 'activity', 'activities'], { signal })
  const found = parseForeground(activities.stdout)
  if (found) return found
  return parseForeground((await runShell(adb, ['dumpsys', 'window'], { signal })).stdout)
}

/** Finds `package/activity` in `dumpsys activity activities` or `dumpsys window` of Android 8 to 16. */
export function parseForeground(dump: string): Foreground | null {
  const match =
    /(?:topResumedActivity|mResumedActivity|ResumedActivity)\s*[=:]\s*ActivityRecord\{\S+ \S+ ([\w.]+)\/([\w.$]+)/.exec(
      dump,
    ) ?? /mCurrentFocus=Window\{\S+ \S+ ([\w.]+)\/([\w.$]+)/.exec(dump)
  const [, app, activity] = match ?? []
  return app !== undefined && activity !== undefined ? { app, activity } : null
}

/** PNG bytes of the screen; null where it may not be read. */
export async function captureScreen(adb: Adb, signal: AbortSignal): Promise<Uint8Array | null> {
  const process = await adb.subprocess.noneProtocol.spawn(['screencap', '-p'], signal)
  const chunks: Uint8Array[] = []
  for await (const chunk of process.output) chunks.push(chunk)
  signal.throwIfAborted()
  const bytes = Buffer.concat(chunks)
  return pngSize(bytes) ? bytes : null
}

/** Width and height of a PNG, from its IHDR chunk (PNG specification, section 11.2.2); null for other bytes. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length < 24 || view.readUInt32BE(0) !== 0x89504e47 || view.toString('latin1', 12, 16) !== 'IHDR') return null
  const size = { width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
  return size.width > 0 && size.height > 0 ? size : null
}

/** Starts an app's launcher activity; false when the device has no such app. */
export async function startApp(adb: Adb, packageName: string, signal: AbortSignal): Promise<boolean> {
  const resolved = await runShell(adb, ['pm', 'resolve-activity', '--brief', packageName], { signal })
  const component = resolved.stdout
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line.startsWith(`${packageName}/`))
  const argv =
    component === undefined
      ? ['monkey', '-p', packageName, '-c', 'android.intent.category.LAUNCHER', '1']
      : ['am', 'start', '-n', component]
  const started = await runShell(adb, argv, { signal })
  return started.exitCode === 0 && !/error|no activities found/i.test(started.stdout + started.stderr)
}

async function pushFile(adb: Adb, filename: string, content: Uint8Array): Promise<void> {
  const sync = await adb.sync()
  try {
    const file = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(content)
        controller.close()
      },
    })
    await sync.write({ filename, file, permission: 0o600 })
  } finally {
    await sync.dispose()
  }
}

function parseJson<Schema extends z.ZodType>(schema: Schema, text: string, command: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new TaplineError('unavailable', `\`${command}\` did not give the JSON it should.`, { cause })
  }
}

/** Size of the screen as it is held: `wm size` gives that of the upright device. */
export async function readScreenSize(adb: Adb, signal: AbortSignal): Promise<{ width: number; height: number }> {
  const { stdout } = await runShell(adb, ['wm', 'size'], { signal })
  const sizes = [...stdout.matchAll(/(?:Physical|Override) size: (\d+)x(\d+)/g)]
  const [, width, height] = sizes.at(-1) ?? []
  if (width === undefined || height === undefined) {
    throw new TaplineError('unavailable', 'The device does not tell the size of its screen (`wm size`).')
  }
  return { width: Number(width), height: Number(height) }
}
