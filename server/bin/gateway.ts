import { createCredentialStore } from '@/server/device/adb/credential-store'
import { DeviceRegistry } from '@/server/device/gateway/device-registry'
import { startGateway } from '@/server/device/gateway/server'
import { readEnvironment } from '@/server/platform/env'
import { exitWithParent } from '@/server/platform/parent-watch'
import { stopSignal } from '@/server/platform/stop-signal'
import { runCommand } from '@/server/platform/run-command'
import { openServices } from '@/server/platform/services'
import { appRouter } from '@/server/trpc/app-router'
import { createContext } from '@/server/trpc/context'

const lingerMs = 30_000

await runCommand(async () => {
  exitWithParent()
  const stopping = stopSignal()
  const environment = readEnvironment()
  const services = await openServices('gateway', environment)
  const { db, clock, log, instanceId, agentToken } = services
  const registry = new DeviceRegistry({
    db,
    addresses: [...environment.phonePorts.map((port) => `127.0.0.1:${port}`), ...environment.deviceAddresses],
    hostId: environment.hostId,
    credentialStore: createCredentialStore(environment.dataFolder),
    scrcpyServerPath: process.env['TAPLINE_SCRCPY_SERVER'] || null,
    lingerMs,
    clock,
    log,
  })
  await registry.start()
  const gateway = await startGateway(
    // Viewers come through the web server; the worker's token is taken from loopback only.
    { host: '127.0.0.1', port: environment.gatewayPort },
    {
      registry,
      check: { db, environment, instanceId, clock, agentToken },
      trpc: {
        router: appRouter,
        createContext: (request) => createContext(services, request.headers.cookie ?? null),
      },
      clock,
      log,
    },
  )
  log.info({ port: gateway.port }, 'gateway is ready')

  await new Promise<void>((resolve) => {
    if (stopping.aborted) resolve()
    else stopping.addEventListener('abort', () => resolve(), { once: true })
  })
  await gateway.close()
  await registry.stop()
  await services.close()
  process.exit(0)
})
if (process.exitCode) process.exit()
