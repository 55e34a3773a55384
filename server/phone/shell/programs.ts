import type { ShellCommand } from './command'
import { am, monkey, pm } from './commands/activity'
import { fileCommands } from './commands/files'
import { input } from './commands/input'
import { screenCommands } from './commands/screen'
import { shellBuiltins } from './commands/shell-builtins'
import { systemCommands } from './commands/system'
import { tapline } from './commands/tapline'
import { textCommands } from './commands/text'

/** Every program of the phone by name. */
export const programs: ReadonlyMap<string, ShellCommand> = new Map(
  Object.entries({
    ...shellBuiltins,
    ...fileCommands,
    ...textCommands,
    ...systemCommands,
    ...screenCommands,
    am,
    monkey,
    pm,
    input,
    tapline,
  }),
)
