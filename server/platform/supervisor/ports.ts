import { createServer } from 'node:net'
import { TaplineError } from '../errors'

const step = 10
const attempts = 200

export type PortPlan = { port: number; gatewayPort: number; phonePorts: number[] }

/**
 * The wanted ports, or the same ones moved up by the fewest tens such that all are free: the web server and the gateway
 * together, and the phones together. Ports 5555-5585 are never given to a phone: an adb server scans those.
 */
export async function planPorts(wanted: PortPlan, host: string, isFree = isPortFree): Promise<PortPlan> {
  const [port, gatewayPort] = await freeBlock([wanted.port, wanted.gatewayPort], (candidate) => isFree(candidate, host))
  const taken = new Set([port, gatewayPort])
  const phonePorts = await freeBlock(
    wanted.phonePorts,
    async (candidate) =>
      !taken.has(candidate) && !(candidate >= 5555 && candidate <= 5585) && (await isFree(candidate, '127.0.0.1')),
  )
  if (port === undefined || gatewayPort === undefined) throw new TaplineError('internal', 'No ports were planned.')
  return { port, gatewayPort, phonePorts }
}

async function freeBlock(ports: number[], isUsable: (port: number) => Promise<boolean>): Promise<number[]> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const block = ports.map((port) => port + attempt * step)
    if (block.some((port) => port > 65_535)) break
    const usable = await Promise.all(block.map(isUsable))
    if (usable.every(Boolean)) return block
  }
  throw new TaplineError(
    'unavailable',
    `No free ports from ${ports.join(', ')} on: choose others with TAPLINE_PORT or TAPLINE_PHONES.`,
  )
}

async function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
