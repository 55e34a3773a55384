import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TaplineError } from './errors'

/** The folder this copy of Tapline lives in, found from the running file, whatever the working directory is. */
export function cloneFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'db', 'migrations'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new TaplineError('internal', 'This file is not inside a copy of Tapline.')
    folder = parent
  }
  return folder
}
