import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** What the tests drive besides Node: Debian's package for each and where its command lies. */
const tools = [
  { name: 'chromium', paths: [process.env.TAPLINE_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'] },
  { name: 'adb', paths: [process.env.TAPLINE_ADB, '/usr/bin/adb'] },
]

const find = (tool) => tool.paths.find((path) => path !== undefined && path !== '' && existsSync(path))
const isDebian = () => existsSync('/etc/debian_version')

/** Paths of the tools by name; installs them where that needs nobody's leave, else says how and throws. */
export function ensureTools() {
  const missing = tools.filter((tool) => find(tool) === undefined).map((tool) => tool.name)
  if (missing.length > 0) {
    const command = `apt-get install -y ${missing.join(' ')}`
    if (!isDebian() || process.getuid?.() !== 0) {
      throw new Error(`The tests need ${missing.join(' and ')}. Install them and run again, on Debian: sudo ${command}`)
    }
    console.log(`installing ${missing.join(', ')} for the tests`)
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    if (spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env: environment }).status !== 0) {
      console.log('apt-get update failed, trying with the lists there are')
    }
    execFileSync('apt-get', ['install', '-y', '-qq', ...missing], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: environment,
    })
  }
  return Object.fromEntries(
    tools.map((tool) => {
      const path = find(tool)
      if (path === undefined)
        throw new Error(`${tool.name} is installed but was not found at ${tool.paths.filter(Boolean).join(', ')}`)
      return [tool.name, path]
    }),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(ensureTools())
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
