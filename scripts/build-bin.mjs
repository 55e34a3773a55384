import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, context } from 'esbuild'

const folder = fileURLToPath(new URL('..', import.meta.url))
const outputFolder = join(folder, 'dist', 'bin')

/** Writes only what differs, by rename: running processes may load a bundle at any moment. */
const writeChanged = {
  name: 'write-changed',
  setup(bundling) {
    bundling.onEnd((result) => {
      for (const file of result.outputFiles ?? []) {
        let current = null
        try {
          current = readFileSync(file.path)
        } catch {
          // Not there yet.
        }
        if (current?.equals(file.contents)) continue
        mkdirSync(dirname(file.path), { recursive: true })
        writeFileSync(`${file.path}.${process.pid}`, file.contents)
        renameSync(`${file.path}.${process.pid}`, file.path)
      }
    })
  },
}

function options(names) {
  const entries = readdirSync(join(folder, 'server', 'bin')).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const wanted = names ? entries.filter((file) => names.includes(file.slice(0, -3))) : entries
  return {
    absWorkingDir: folder,
    entryPoints: wanted.map((file) => join('server', 'bin', file)),
    outdir: outputFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    sourcemap: 'linked',
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [writeChanged],
  }
}

/** Bundles `server/bin/<name>.ts` to `dist/bin/<name>.mjs`: all of them, or the named ones that exist. */
export async function buildBins(names) {
  return build(options(names))
}

/** Bundles all and again whenever a source changes. */
export async function watchBins() {
  const watching = await context(options())
  await watching.rebuild()
  await watching.watch()
  return watching
}

export function bundlePath(name) {
  return join(outputFolder, `${name}.mjs`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildBins()
