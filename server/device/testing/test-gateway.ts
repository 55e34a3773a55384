import { createLogger } from '@/server/platform/log'
import { createListener } from '@/server/platform/notify'
import { openBlobStore } from '@/server/platform/blobs'
import { readEnvironment } from '@/server/platform/env'
import { authenticate } from '@/server/platform/people/authenticate'
import type { Role } from '@/server/platform/people/contract'
import { createLink } from '@/server/platform/people/create-link'
import { redeemLink } from '@/server/platform/people/redeem-link'
import { sessionCookieName } from '@/server/platform/people/session-cookie'
import { router } from '@/server/platform/procedure'
import { testDatabase } from '@/server/platform/testing/test-database'
import { createCredentialStore } from '../adb/credential-store'
import type { Device } from '../contract'
import { DeviceRegistry } from '../gateway/device-registry'
import { startGateway } from '../gateway/server'
import { followDevices } from '../follow-devices'
import { deviceRouter } from '../router'
import { TestClient } from './test-client'

const instanceId = 'test'
export const agentToken = 'a'.repeat(64)
export const lingerMs = 150

/** A gateway on a database of its own, with devices at `addresses`. `clock.offsetMs` moves its time. */
export async function startTestGateway(addresses: string[]) {
  const database = await testDatabase()
  const { db } = database
  const time = { offsetMs: 0 }
  const clock = () => Date.now() + time.offsetMs
  const log = createLogger('test gateway')
  const environment = readEnvironment({
    NODE_ENV: 'test',
    TAPLINE_PHONES: '',
    DATABASE_URL: database.url,
    TAPLINE_HOST_ID: 'test-host',
  })
  const listener = createListener(database.url)
  const registry = new DeviceRegistry({
    db,
    addresses,
    hostId: environment.hostId,
    credentialStore: createCredentialStore(),
    scrcpyServerPath: null,
    lingerMs,
    clock,
    log,
  })
  await registry.start()
  const gateway = await startGateway(
    { host: '127.0.0.1', port: 0 },
    {
      registry,
      check: { db, environment, instanceId, clock, agentToken },
      trpc: {
        router: router({ device: deviceRouter }),
        createContext: async (request) => ({
          person: await authenticate(db, request.headers.cookie, instanceId, clock),
          db,
          databaseUrl: database.url,
          clock,
          listener,
          blobs: openBlobStore(environment.dataFolder),
          log,
          environment,
        }),
      },
      clock,
      log,
    },
  )
  environment.gatewayPort = gateway.port
  const host = `127.0.0.1:${gateway.port}`

  const cookieFor = async (role: Role, name: string = role) => {
    const { token } = await createLink(db, { name, role, clock })
    const { sessionToken } = await redeemLink(db, { token, clock })
    return `${sessionCookieName(instanceId, false)}=${sessionToken}`
  }
  return {
    db,
    time,
    registry,
    host,
    cookieFor,
    /** The port of a web server that hands its upgrades on. */
    answerAlsoTo(port: number): void {
      environment.port = port
    },
    /** Resolves with the first list of devices for which `isDone` holds. */
    async waitForDevices(isDone: (devices: Device[]) => boolean): Promise<Device[]> {
      const stopped = new AbortController()
      try {
        for await (const devices of followDevices(db, listener, stopped.signal)) if (isDone(devices)) return devices
        throw new Error('the list of devices ended')
      } finally {
        stopped.abort()
      }
    },
    async connect(deviceId: string, role: Role, name?: string): Promise<TestClient> {
      const cookie = await cookieFor(role, name)
      const client = new TestClient(`ws://${host}/ws/device/${deviceId}`, { cookie, origin: `http://${host}` })
      await client.waitForMessage('hello')
      return client
    },
    async close(): Promise<void> {
      await gateway.close()
      await registry.stop()
      await listener.close()
      await database.close()
    },
  }
}
export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>
