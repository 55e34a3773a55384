import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { removeDataFolder } from './clone'

export type RunningTapline = {
  url: string
  /** The single-use sign-in link it printed. */
  link: string
  dataFolder: string
  phonePorts: number[]
  log: () => string
  /** A further sign-in link, as `npm run link` prints it. */
  newLink: (name: string, role: string) => Promise<string>
  stop: () => Promise<void>
  process: ChildProcess
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

function cleanEnvironment(dataFolder: string, extra: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, TAPLINE_SECRET: _secret, ...inherited } = process.env
  return { ...inherited, TAPLINE_DATA: dataFolder, ...extra }
}

/** Runs `npm start`'s script with an empty data folder and free ports, and waits for its link. */
export async function startTapline(
  options: { folder?: string; dataFolder?: string; environment?: Record<string, string> } = {},
): Promise<RunningTapline> {
  const folder = options.folder ?? process.cwd()
  const ownData = options.dataFolder === undefined ? mkdtempSync(join(tmpdir(), 'tapline-e2e-')) : null
  const dataFolder = options.dataFolder ?? ownData ?? ''
  const environment: NodeJS.ProcessEnv = cleanEnvironment(
    dataFolder,
    options.environment ?? {
      TAPLINE_PORT: String(await freePort()),
      TAPLINE_GATEWAY_PORT: String(await freePort()),
      TAPLINE_PHONES: `${await freePort()},${await freePort()}`,
    },
  )
  const child = spawn('node', ['scripts/start.mjs'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const link = await new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /(http:\/\/\S+\/enter\/\S+)[\s\S]*Ctrl-C stops it/.exec(output)
      if (found?.[1] !== undefined) resolve(found[1])
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    child.once('error', reject)
    child.once('close', (code) =>
      reject(new Error(`Tapline ended with ${code} before it was ready:\n${output.slice(-4_000)}`)),
    )
  })
  const newLink = (name: string, role: string) =>
    new Promise<string>((resolve, reject) => {
      const linking = spawn('node', ['scripts/bin.mjs', 'link', '--name', name, '--role', role], {
        cwd: folder,
        env: environment,
      })
      let printed = ''
      linking.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
      linking.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
      linking.once('close', () => {
        const found = /http:\/\/\S+\/enter\/\S+/.exec(printed)
        if (found === null) reject(new Error(printed))
        else resolve(found[0])
      })
    })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const closed = new Promise((done) => child.once('close', done))
      child.kill('SIGTERM')
      await closed
    }
    if (ownData !== null) removeDataFolder(ownData)
  }
  const phonePorts = [...output.matchAll(/\(adb (\d+)\)/g)].map((match) => Number(match[1]))
  return { url: new URL(link).origin, link, dataFolder, phonePorts, log: () => output, newLink, stop, process: child }
}

/** Signs the page's browser in and lands on the live page of the first phone. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.waitForURL(/\/live\/[0-9a-f-]{36}/)
}
