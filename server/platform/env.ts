import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isLoopbackHost } from './people/host'
import { TaplineError } from './errors'

const port = z.coerce.number().int().min(1).max(65_535)
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
const phonePort = z
  .string()
  .transform(Number)
  .pipe(z.number().int().min(1).max(65_535))
  .refine((value) => value < 5555 || value > 5585, {
    message: 'ports 5555-5585 are scanned by adb servers, choose another',
  })
const deviceAddress = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?):\d{1,5}$/i, 'expected host:port')
const publicHost = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/i, 'expected host or host:port')

const variables = z.object({
  TAPLINE_HOST: z.string().min(1).default('127.0.0.1'),
  TAPLINE_PORT: port.default(4300),
  TAPLINE_GATEWAY_PORT: port.optional(),
  TAPLINE_PHONES: list.pipe(z.array(phonePort)).default([5611, 5613]),
  TAPLINE_DEVICES: list.pipe(z.array(deviceAddress)).default([]),
  TAPLINE_DATA: z.string().min(1).default('.tapline'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://…')
    .optional(),
  TAPLINE_HOST_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/, 'letters, digits, dot, dash, underscore')
    .optional(),
  TAPLINE_PUBLIC_HOSTS: list.pipe(z.array(publicHost)).default([]),
  TAPLINE_SECRET: z.string().min(16, 'at least 16 characters').optional(),
  TAPLINE_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

/** What the process was told by its environment, checked once. */
export type TaplineEnvironment = {
  host: string
  port: number
  gatewayPort: number
  /** adb ports of the virtual phones on this machine. */
  phonePorts: number[]
  /** Further adb daemons, `host:port`. */
  deviceAddresses: string[]
  /** Absolute. */
  dataFolder: string
  /** Null: the embedded Postgres. */
  databaseUrl: string | null
  hostId: string
  /** Extra `Host` values the server answers to, `name` or `name:port`, lower case. */
  publicHosts: string[]
  hasConfiguredSecret: boolean
  logLevel: z.infer<typeof variables>['TAPLINE_LOG_LEVEL']
}

/**
 * Reads and checks the environment variables. An empty variable counts as unset, except for the lists, where it means
 * none. Throws `bad-input` naming the variable, also when the host is reachable from outside and no secret is set.
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): TaplineEnvironment {
  const lists = new Set(['TAPLINE_PHONES', 'TAPLINE_DEVICES', 'TAPLINE_PUBLIC_HOSTS'])
  const given = Object.fromEntries(Object.entries(source).filter(([name, value]) => value !== '' || lists.has(name)))
  const parsed = variables.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}`)
    throw new TaplineError('bad-input', `Environment: ${problems.join('; ')}`)
  }
  const env = parsed.data
  if (!isLoopbackHost(env.TAPLINE_HOST) && env.TAPLINE_SECRET === undefined) {
    throw new TaplineError(
      'bad-input',
      `TAPLINE_HOST=${env.TAPLINE_HOST} is reachable from other machines: set TAPLINE_SECRET (16 characters or more) ` +
        'as well, or leave TAPLINE_HOST at 127.0.0.1.',
    )
  }
  if (env.TAPLINE_GATEWAY_PORT === undefined && env.TAPLINE_PORT === 65_535) {
    throw new TaplineError('bad-input', 'TAPLINE_PORT=65535 leaves no port for the gateway: set TAPLINE_GATEWAY_PORT.')
  }
  return {
    host: env.TAPLINE_HOST,
    port: env.TAPLINE_PORT,
    gatewayPort: env.TAPLINE_GATEWAY_PORT ?? env.TAPLINE_PORT + 1,
    phonePorts: env.TAPLINE_PHONES,
    deviceAddresses: env.TAPLINE_DEVICES,
    dataFolder: resolve(env.TAPLINE_DATA),
    databaseUrl: env.DATABASE_URL ?? null,
    hostId:
      env.TAPLINE_HOST_ID ??
      (hostname()
        .replace(/[^A-Za-z0-9._-]/g, '-')
        .slice(0, 100) ||
        'host'),
    publicHosts: env.TAPLINE_PUBLIC_HOSTS.map((name) => name.toLowerCase()),
    hasConfiguredSecret: env.TAPLINE_SECRET !== undefined,
    logLevel: env.TAPLINE_LOG_LEVEL,
  }
}
