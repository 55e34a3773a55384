import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { cloneFolder } from '../clone-folder'

/** Bundles a TypeScript file (path from the clone) so that a test can run it in a process of its own. */
export async function bundleForChild(source: string): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = cloneFolder()
  // Inside the clone, so that it finds node_modules.
  const path = join(folder, 'dist', 'test', `${randomBytes(6).toString('hex')}.mjs`)
  await build({
    absWorkingDir: folder,
    entryPoints: [source],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
  })
  return { path, remove: () => rm(path, { force: true }) }
}
