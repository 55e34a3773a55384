import { pathToFileURL } from 'node:url'
import { buildBins, bundlePath, watchBins } from './build-bin.mjs'

// `npm start` builds what is stale and runs everything; with --dev it also rebuilds and restarts on every change.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tapline needs Node 20.19 or newer; this is ${process.version}.`)
  process.exit(1)
}
if (process.argv.includes('--dev')) {
  process.env.TAPLINE_DEV = '1'
  await watchBins()
} else {
  await buildBins()
}
process.setSourceMapsEnabled(true)
await import(pathToFileURL(bundlePath('start')).href)
