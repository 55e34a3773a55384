import { ByteCollector, emptySource, type ByteSource } from '@/server/phone/shell/byte-pipe'
import { newSession, type ShellSession } from '@/server/phone/shell/command'
import { runScript } from '@/server/phone/shell/evaluator'
import { PhoneLog } from '@/server/phone/shell/phone-log'
import { programs } from '@/server/phone/shell/programs'
import { resetTables, type ShellDevice } from '@/server/phone/shell/shell-device'
import { VirtualFiles } from '@/server/phone/shell/virtual-files'
import { TaplineError } from '@/server/platform/errors'
import { createFakeMachine, type FakeMachine } from './fake-machine'

export type FakeDevice = ShellDevice & { machine: FakeMachine }

export function createFakeDevice(options: { limitBytes?: number } = {}): FakeDevice {
  const machine = createFakeMachine()
  const now = () => machine.now()
  const device: FakeDevice = {
    machine,
    files: new VirtualFiles({ now, programs: [...programs.keys()], ...options }),
    log: new PhoneLog(now),
    properties: new Map(),
    settings: new Map(),
    identity: { serial: 'TEST0001', name: 'Test phone' },
    initialSeed: 1,
    capturePng: () => machine.screen.png(),
    captureRgba: () => new Uint8ClampedArray(4),
    runScrcpyServer: async (args, output) => {
      await output.write(Buffer.from(args.join(' ')))
      return 3
    },
    fork: () => Promise.reject(new TaplineError('busy', 'A phone has at most 4 forks at a time.')),
  }
  resetTables(device)
  return device
}

export type ShellOutcome = { stdout: string; stderr: string; code: number }

/** Runs a script to its end and returns all it said. */
export async function runShell(
  script: string,
  options: { device?: ShellDevice; session?: ShellSession; stdin?: string; signal?: AbortSignal } = {},
): Promise<ShellOutcome> {
  const [stdout, stderr] = [new ByteCollector(), new ByteCollector()]
  const stdin = options.stdin === undefined ? emptySource : textSource(options.stdin)
  const context = {
    device: options.device ?? createFakeDevice(),
    commands: programs,
    signal: options.signal ?? new AbortController().signal,
  }
  const code = await runScript(script, { stdin, stdout, stderr }, options.session ?? newSession(), context)
  return { stdout: stdout.text(), stderr: stderr.text(), code }
}

function textSource(text: string): ByteSource {
  const chunks = [Buffer.from(text, 'utf8')]
  return { read: () => Promise.resolve(chunks.shift() ?? null) }
}
