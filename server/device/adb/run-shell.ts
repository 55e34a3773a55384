import type { Adb } from '@yume-chan/adb'
import { TaplineError } from '@/server/platform/errors'
import { raceAbort } from '../race-abort'

export type ShellResult = {
  /** Null of a device without the shell protocol (before Android 7), which doesn't tell. */
  exitCode: number | null
  stdout: string
  stderr: string
}

const timeoutMs = 10_000

/**
 * Runs a program on the device with exactly these arguments: each is quoted, so none is read by the device's shell.
 * A program that fails is a result, not an error. Throws TaplineError `bad-input` for an empty command or a NUL,
 * `unavailable` when the device goes away or does not answer in time, or the signal's reason.
 */
export async function runShell(
  adb: Adb,
  argv: readonly string[],
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<ShellResult> {
  const command = argv.map(quoteForShell).join(' ')
  if (command === '') throw new TaplineError('bad-input', 'There is no command to run.')
  const limit = AbortSignal.timeout(options.timeoutMs ?? timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  try {
    signal.throwIfAborted()
    return await raceAbort(spawn(adb, command, signal), signal)
  } catch (cause) {
    options.signal?.throwIfAborted()
    const program = argv[0] ?? ''
    const what = limit.aborted ? `did not finish \`${program}\` in time` : `broke off while running \`${program}\``
    throw new TaplineError('unavailable', `The device at ${adb.serial} ${what}.`, { cause })
  }
}

async function spawn(adb: Adb, command: string, signal: AbortSignal): Promise<ShellResult> {
  const { shellProtocol, noneProtocol } = adb.subprocess
  if (shellProtocol === undefined) {
    const process = await noneProtocol.spawn(command, signal)
    return { exitCode: null, stdout: await readText(process.output), stderr: '' }
  }
  const process = await shellProtocol.spawn(command, signal)
  const [stdout, stderr, exitCode] = await Promise.all([
    readText(process.stdout),
    readText(process.stderr),
    process.exited,
  ])
  return { exitCode, stdout, stderr }
}

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** One argument as a word of the device's shell. Throws `bad-input` for a NUL, which no argument can hold. */
export function quoteForShell(argument: string): string {
  if (argument.includes('\0')) throw new TaplineError('bad-input', 'A shell argument cannot contain NUL.')
  return `'${argument.replaceAll("'", `'\\''`)}'`
}
