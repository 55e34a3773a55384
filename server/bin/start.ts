import { watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '@/db/client'
import { systemClock } from '@/server/platform/clock'
import { cloneFolder } from '@/server/platform/clone-folder'
import { readEnvironment, type TaplineEnvironment } from '@/server/platform/env'
import { TaplineError } from '@/server/platform/errors'
import { createLogger, type Logger } from '@/server/platform/log'
import { migrateDatabase } from '@/server/platform/migrate'
import { createLink } from '@/server/platform/people/create-link'
import { isLoopbackHost } from '@/server/platform/people/host'
import { type RunningPostgres, startPostgres } from '@/server/platform/postgres/start-postgres'
import { runCommand } from '@/server/platform/run-command'
import { readSecret } from '@/server/platform/secret'
import { buildIfStale } from '@/server/platform/supervisor/build-if-stale'
import { readInstance, removeInstance, writeInstance } from '@/server/platform/supervisor/instance-file'
import { takePidLock, waitForPidLock } from '@/server/platform/supervisor/pid-lock'
import { type PlannedChild, planChildren } from '@/server/platform/supervisor/plan-children'
import { planPorts, type PortPlan } from '@/server/platform/supervisor/ports'
import { type SupervisedChild, superviseChild } from '@/server/platform/supervisor/supervise'
import { waitForPort } from '@/server/platform/supervisor/wait-for-port'

const readyWithinMs = 60_000
const killChildrenAfterMs = 4_200
const postgresCheckMs = 2_000

await runCommand(async () => {
  const environment = readEnvironment()
  const isDevelopment = process.env['TAPLINE_DEV'] === '1'
  const log = createLogger('start')
  const stopping = stopOnSignals()
  const lock = await takePidLock(join(environment.dataFolder, 'start.lock'))
  if ('pid' in lock) {
    const running = await readInstance(environment.dataFolder)
    const where = running === null ? '' : ` at ${running.url}`
    throw new TaplineError(
      'conflict',
      `Tapline already runs in this folder${where} (pid ${lock.pid}). For a sign-in link: npm run link`,
    )
  }
  let postgres: RunningPostgres | null = null
  const children: SupervisedChild[] = []
  try {
    const startedAt = performance.now()
    postgres = await startPostgres({ ...environment, log })
    const beforeBuild = performance.now()
    const buildMs = isDevelopment ? null : await buildIfStale(cloneFolder(), log, stopping)
    const afterBuild = performance.now()
    await migrateDatabase(postgres.url)
    await readSecret(environment)
    const databaseUrl = postgres.url
    const { url, ports, planned, late } = await inTurn(stopping, async () => {
      const ports = await planPorts(environment, environment.host)
      stopping.throwIfAborted()
      const planned = planChildren({
        binFolder: join(cloneFolder(), 'dist', 'bin'),
        dataFolder: environment.dataFolder,
        ports,
        env: childEnvironment(environment, ports, databaseUrl, isDevelopment),
      })
      for (const child of planned) children.push(superviseChild(child, log))
      const late = await waitUntilReady(planned, environment, stopping)
      return { url: `http://${publicName(environment)}:${ports.port}`, ports, planned, late }
    })
    await writeInstance(environment.dataFolder, { pid: process.pid, dataFolder: environment.dataFolder, url, ...ports })
    const readyMs = performance.now() - startedAt - (afterBuild - beforeBuild)
    await printWelcome({ url, databaseUrl, environment, ports, planned, late, buildMs, readyMs })
    if (isDevelopment) restartOnRebuild(planned, children, stopping)
    await keepPostgresRunning(postgres, environment, log, stopping)
  } catch (error) {
    if (!stopping.aborted) throw error
  } finally {
    await Promise.all(children.map((child) => child.stop(killChildrenAfterMs)))
    await removeInstance(environment.dataFolder)
    await postgres?.stop()
    await lock.release()
    log.info('stopped')
  }
  process.exit()
})
if (process.exitCode) process.exit()

/** Aborts at the first signal. More change nothing: npm passes on a Ctrl-C that the terminal has sent us already. */
function stopOnSignals(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => controller.abort(new Error(`stopped by ${name}`)))
  }
  return controller.signal
}

/**
 * Copies of Tapline that start at the same moment choose their ports one after the other: a chosen port looks free until
 * a child listens on it. A turn that does not come in time is not waited for any longer.
 */
async function inTurn<Result>(stopping: AbortSignal, action: () => Promise<Result>): Promise<Result> {
  const path = join(tmpdir(), `tapline-ports-${process.getuid?.() ?? 0}.lock`)
  const patience = AbortSignal.any([stopping, AbortSignal.timeout(readyWithinMs)])
  const turn = await waitForPidLock(path, patience).catch(() => null)
  try {
    return await action()
  } finally {
    await turn?.release()
  }
}

/** How people reach it: the first public host, the address it is bound to, or this machine. */
function publicName({ host, publicHosts }: TaplineEnvironment): string {
  if (isLoopbackHost(host)) return isIP(host) === 6 ? `[${host}]` : host
  const first = publicHosts.find((name) => !/:\d+$/.test(name))
  return first ?? (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : isIP(host) === 6 ? `[${host}]` : host)
}

function childEnvironment(
  environment: TaplineEnvironment,
  ports: PortPlan,
  databaseUrl: string,
  isDevelopment: boolean,
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_URL: databaseUrl,
    TAPLINE_DATA: environment.dataFolder,
    TAPLINE_PORT: String(ports.port),
    TAPLINE_GATEWAY_PORT: String(ports.gatewayPort),
    TAPLINE_PHONES: ports.phonePorts.join(','),
  }
}

/** Waits for every child that listens; returns the names of those that do not in time. */
async function waitUntilReady(
  planned: PlannedChild[],
  environment: TaplineEnvironment,
  stopping: AbortSignal,
): Promise<string[]> {
  const patience = AbortSignal.any([stopping, AbortSignal.timeout(readyWithinMs)])
  const host = isLoopbackHost(environment.host) ? environment.host : '127.0.0.1'
  const late = await Promise.all(
    planned.map(async ({ name, bin, port }) => {
      if (port === null) return null
      return (await waitForPort(port, bin === 'web' ? host : '127.0.0.1', patience)) ? null : name
    }),
  )
  stopping.throwIfAborted()
  return late.filter((name) => name !== null)
}

async function createAdminToken(databaseUrl: string): Promise<string> {
  const { db, close } = openDatabase(databaseUrl, { max: 1 })
  try {
    return (await createLink(db, { name: 'Admin', role: 'admin', clock: systemClock })).token
  } finally {
    await close()
  }
}

async function printWelcome(facts: {
  url: string
  databaseUrl: string
  environment: TaplineEnvironment
  ports: PortPlan
  planned: PlannedChild[]
  late: string[]
  buildMs: number | null
  readyMs: number
}): Promise<void> {
  const { environment, ports } = facts
  const token = await createAdminToken(facts.databaseUrl)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const moved = [
    ...(ports.port === environment.port ? [] : [`port ${environment.port} is taken: using ${ports.port}`]),
    ...(ports.phonePorts.join() === environment.phonePorts.join()
      ? []
      : [`phone ports ${environment.phonePorts.join(', ')} are taken: using ${ports.phonePorts.join(', ')}`]),
  ]
  const phones = facts.planned
    .filter((child) => child.bin === 'phone')
    .map((child) => `${child.name} (adb ${child.port})`)
  const isDevelopment = process.env['TAPLINE_DEV'] === '1'
  const nothing = isDevelopment ? 'Builds as you change it' : 'Nothing to build'
  const build = facts.buildMs === null ? nothing : `Built in ${seconds(facts.buildMs)}`
  const lines = [
    'Tapline is running. Open this link to sign in as the administrator:',
    '',
    `    ${facts.url}/enter/${token}`,
    '',
    'It works once, for 10 minutes; another one: npm run link',
    ...(phones.length > 0 ? [`Phones: ${phones.join(', ')}`] : []),
    ...moved.map((line) => `Note: ${line}`),
    ...facts.late.map((name) => `Note: ${name} is not ready yet; the log above says why`),
    `${build}, ready in ${seconds(facts.readyMs)}. Ctrl-C stops it.`,
  ]
  process.stdout.write(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`)
}

/** Restarts a child when its bundle was written anew. */
function restartOnRebuild(planned: PlannedChild[], children: SupervisedChild[], stopping: AbortSignal): void {
  const timers = new Map<string, NodeJS.Timeout>()
  watch(join(cloneFolder(), 'dist', 'bin'), { signal: stopping }, (_event, file) => {
    const bin = file?.match(/^([a-z-]+)\.mjs$/)?.[1]
    if (bin === undefined) return
    clearTimeout(timers.get(bin))
    // A rename is reported more than once.
    const restart = () => planned.forEach((child, index) => child.bin === bin && children[index]?.restart())
    timers.set(bin, setTimeout(restart, 100))
  }).on('error', () => undefined)
}

/** Resolves when asked to stop; until then a server of ours that was killed is started again, at the same address. */
async function keepPostgresRunning(
  postgres: RunningPostgres,
  environment: TaplineEnvironment,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    await delay(postgresCheckMs, undefined, { signal: stopping }).catch(() => undefined)
    if (stopping.aborted || (await postgres.isAlive())) continue
    log.warn('Postgres has died and is started again')
    try {
      await startPostgres({ ...environment, log })
    } catch (error) {
      log.error({ err: error }, 'Postgres could not be started; trying again')
    }
  }
}
