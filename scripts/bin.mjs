import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundlePath, buildBins } from './build-bin.mjs'

// `node scripts/bin.mjs <name> …` runs server/bin/<name>.ts, bundled first.
const [name = '', ...args] = process.argv.slice(2)
const source = fileURLToPath(new URL(`../server/bin/${name}.ts`, import.meta.url))
if (!/^[a-z-]+$/.test(name) || !existsSync(source)) {
  console.error(`There is no server/bin/${name}.ts`)
  process.exit(1)
}
await buildBins([name])
process.argv = [process.argv[0], bundlePath(name), ...args]
process.setSourceMapsEnabled(true)
await import(pathToFileURL(bundlePath(name)).href)
