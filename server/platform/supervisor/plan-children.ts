import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildPlan } from './supervise'
import type { PortPlan } from './ports'

export type PlannedChild = ChildPlan & {
  /** The bundle it runs. */
  bin: string
  /** It is ready once this accepts connections; null when it listens nowhere. */
  port: number | null
}

/** The serial number of a virtual phone: the same for a data folder and port at every start. */
export function phoneSerial(dataFolder: string, port: number): string {
  const digest = createHash('sha256').update(`${dataFolder}:${port}`).digest('hex')
  return `TPL${digest.slice(0, 6).toUpperCase()}${port}`
}

/** The processes of one machine, phones first; those whose bundle does not exist are left out. */
export function planChildren(options: {
  binFolder: string
  dataFolder: string
  ports: PortPlan
  env: NodeJS.ProcessEnv
}): PlannedChild[] {
  const { binFolder, dataFolder, ports, env } = options
  const plan = (name: string, bin: string, port: number | null, extra: Record<string, string> = {}): PlannedChild => ({
    name,
    bin,
    port,
    args: ['--enable-source-maps', join(binFolder, `${bin}.mjs`)],
    env: { ...env, ...extra },
  })
  const phones = ports.phonePorts.map((port, index) => {
    const name = `Phone ${String.fromCharCode(65 + (index % 26))}`
    return plan(name, 'phone', port, {
      TAPLINE_PHONE_PORT: String(port),
      TAPLINE_PHONE_NAME: name,
      TAPLINE_PHONE_SERIAL: phoneSerial(dataFolder, port),
      TAPLINE_PHONE_SEED: '7',
    })
  })
  return [
    ...phones,
    plan('gateway', 'gateway', ports.gatewayPort),
    plan('worker', 'worker', null),
    plan('web', 'web', ports.port),
  ].filter((child) => existsSync(join(binFolder, `${child.bin}.mjs`)))
}
