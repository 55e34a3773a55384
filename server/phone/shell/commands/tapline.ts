import { TaplineError } from '@/server/platform/errors'
import { readAll } from '@/server/phone/shell/byte-pipe'
import { CommandError, pathOf, print, usage, type CommandCall, type ShellCommand } from '@/server/phone/shell/command'
import { resetTables } from '@/server/phone/shell/shell-device'

const usageText = 'tapline reset [--seed N] | state | hash | snapshot [PATH] | restore PATH|- | fork'
const maxSnapshotBytes = 32 * 1_048_576

/**
 * What only a virtual phone has. `reset` prints `{seed}`, `state` the whole state `{data,ui,clock}`, `hash`
 * `{dataHash,stateHash}`, `snapshot` the snapshot (or writes it to PATH), `fork` the `host:port` of the new phone; `restore`
 * prints nothing. Exit code 2 for wrong arguments, 1 when the phone refuses.
 */
export const tapline: ShellCommand = async (call) => {
  try {
    return await run(call)
  } catch (error) {
    if (error instanceof TaplineError) throw new CommandError(error.message)
    throw error
  }
}

async function run(call: CommandCall): Promise<number> {
  const [verb, ...rest] = call.args
  const { machine } = call.device
  const mayHave = (count: number) => rest.length <= count
  switch (verb) {
    case 'reset':
      return reset(call, rest)
    case 'state':
      if (!mayHave(0)) return usage(call, usageText)
      await print(call.stdout, `${JSON.stringify(machine.state())}\n`)
      return 0
    case 'hash':
      if (!mayHave(0)) return usage(call, usageText)
      await print(call.stdout, `${JSON.stringify(machine.hashes())}\n`)
      return 0
    case 'snapshot': {
      const [path] = rest
      if (!mayHave(1)) return usage(call, usageText)
      if (path === undefined) await print(call.stdout, `${machine.snapshot()}\n`)
      else call.device.files.write(pathOf(call, path), Buffer.from(machine.snapshot(), 'utf8'))
      return 0
    }
    case 'restore': {
      const [path] = rest
      if (path === undefined || !mayHave(1)) return usage(call, usageText)
      const bytes =
        path === '-' ? await readAll(call.stdin, maxSnapshotBytes) : call.device.files.read(pathOf(call, path))
      if (bytes.length > maxSnapshotBytes) throw new CommandError(`a snapshot has at most ${maxSnapshotBytes} bytes`)
      machine.restore(Buffer.from(bytes).toString('utf8').trimEnd())
      return 0
    }
    case 'fork':
      if (!mayHave(0)) return usage(call, usageText)
      await print(call.stdout, `${await call.device.fork()}\n`)
      return 0
    default:
      return usage(call, usageText)
  }
}

async function reset(call: CommandCall, args: string[]): Promise<number> {
  const [option, value] = args
  let seed = call.device.initialSeed
  if (option !== undefined) {
    const isSeed = option === '--seed' && value !== undefined && /^\d{1,15}$/.test(value) && args.length === 2
    if (!isSeed) return usage(call, usageText)
    seed = Number(value)
  }
  call.device.machine.reset(seed)
  resetTables(call.device)
  await print(call.stdout, `${JSON.stringify({ seed })}\n`)
  return 0
}
