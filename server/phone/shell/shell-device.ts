import type { PhoneMachine } from '@/server/phone/contract'
import type { ByteSink } from './byte-pipe'
import type { PhoneLog } from './phone-log'
import { bootProperties, bootSettings, type PhoneIdentity } from './properties'
import type { VirtualFiles } from './virtual-files'

/** Density reported for the 540 x 1200 screen, in dpi. */
export const screenDensity = 240

/** All a shell command can reach. */
export type ShellDevice = {
  machine: PhoneMachine
  files: VirtualFiles
  log: PhoneLog
  /** System properties and settings; they are not part of the phone's state and start anew with `tapline reset`. */
  properties: Map<string, string>
  settings: Map<string, string>
  identity: PhoneIdentity
  /** Seed of `tapline reset` without `--seed`. */
  initialSeed: number
  /** Brings the screen up to date and returns it as PNG. */
  capturePng(): Buffer
  /** The same as packed RGBA. */
  captureRgba(): Uint8ClampedArray
  /** Runs scrcpy's server until its session ends; returns the exit code. */
  runScrcpyServer(args: readonly string[], output: ByteSink, signal: AbortSignal): Promise<number>
  /** Starts another phone from the present state and returns its `host:port`. Throws TaplineError. */
  fork(): Promise<string>
}

/** Puts properties and settings back to what they are at boot. */
export function resetTables(device: ShellDevice): void {
  refill(device.properties, bootProperties(device.identity, { density: screenDensity }))
  refill(device.settings, bootSettings())
}

function refill(target: Map<string, string>, source: Map<string, string>): void {
  target.clear()
  for (const [key, value] of source) target.set(key, value)
}
