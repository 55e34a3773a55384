import { setTimeout as delay } from 'node:timers/promises'
import type { ByteSink, ByteSource } from './byte-pipe'
import type { ShellDevice } from './shell-device'
import { resolvePath } from './virtual-files'

/** What a shell remembers between commands. A subshell works on a copy. */
export type ShellSession = {
  variables: Map<string, string>
  exported: Set<string>
  workingDirectory: string
  /** `$?` */
  status: number
  /** `$0`, `$1`, … */
  parameters: readonly string[]
  /** How many scripts run inside each other. */
  depth: number
}

export type CommandCall = {
  name: string
  args: readonly string[]
  stdin: ByteSource
  stdout: ByteSink
  stderr: ByteSink
  session: ShellSession
  device: ShellDevice
  signal: AbortSignal
  /** Runs a script in this shell's place with these streams, for `sh` and `xargs`-like commands. */
  runScript(script: string, call: CommandCall, parameters: readonly string[]): Promise<number>
}

/** A program: reads its arguments and streams and returns its exit code. */
export type ShellCommand = (call: CommandCall) => Promise<number>

/** Ends a command: printed on stderr as `name: message`. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** `exit`, or `exec` after its command. */
export class ShellExit extends Error {
  override readonly name = 'ShellExit'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`exit ${exitCode}`)
    this.exitCode = exitCode
  }
}

export function newSession(): ShellSession {
  return {
    variables: new Map([
      ['PATH', '/system/bin'],
      ['HOME', '/'],
      ['SHELL', '/system/bin/sh'],
      ['TMPDIR', '/data/local/tmp'],
      ['USER', 'shell'],
    ]),
    exported: new Set(['PATH', 'HOME', 'SHELL', 'TMPDIR', 'USER']),
    workingDirectory: '/',
    status: 0,
    parameters: ['sh'],
    depth: 0,
  }
}

export function print(sink: ByteSink, text: string): Promise<void> {
  return sink.write(Buffer.from(text, 'utf8'))
}

export function pathOf(call: CommandCall, path: string): string {
  return resolvePath(path, call.session.workingDirectory)
}

/** Waits, or rejects with the signal's reason. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  // A longer delay would overflow Node's timer and end at once.
  await delay(Math.min(ms, 2_147_483_647), undefined, { signal })
}

/**
 * Splits single-letter options from operands: `readOptions(['-la', 'x'], 'la')` gives options l and a. `--` ends the options.
 * Throws CommandError on an unknown one.
 */
export function readOptions(args: readonly string[], known: string): { options: Set<string>; operands: string[] } {
  const options = new Set<string>()
  const operands: string[] = []
  for (const [index, argument] of args.entries()) {
    if (argument === '--') {
      operands.push(...args.slice(index + 1))
      break
    }
    if (!argument.startsWith('-') || argument === '-') {
      operands.push(argument)
      continue
    }
    for (const letter of argument.slice(1)) {
      if (!known.includes(letter)) throw new CommandError(`Unknown option '${letter}' (see "--help")`)
      options.add(letter)
    }
  }
  return { options, operands }
}

/** A usage text on stderr and exit code 2. */
export async function usage(call: CommandCall, text: string): Promise<number> {
  await print(call.stderr, `usage: ${text}\n`)
  return 2
}
