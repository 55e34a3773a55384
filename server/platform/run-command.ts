import { TaplineError } from './errors'

/** Runs a command of the command line: a `TaplineError` is one sentence on stderr, anything else its stack; exit code 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const text = error instanceof TaplineError ? error.message : error instanceof Error ? error.stack : String(error)
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  }
}
