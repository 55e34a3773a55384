import { existsSync, readdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

// `npm run perf -- <name>` measures perf/<name>.ts on this machine and prints what it found.
const [name = ''] = process.argv.slice(2)
const source = `perf/${name}.ts`
if (!/^[a-z-]+$/.test(name) || !existsSync(source)) {
  const names = readdirSync('perf').map((file) => file.replace(/\.ts$/, ''))
  console.error(`npm run perf -- <name>, where <name> is one of: ${names.join(', ')}`)
  process.exit(1)
}
const output = resolve(`dist/perf/${name}.mjs`)
await build({
  entryPoints: [source],
  outfile: output,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
})
console.log(
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
)
await import(pathToFileURL(output).href)
