import { Server } from 'node:http'
import next from 'next'
import { cloneFolder } from '@/server/platform/clone-folder'
import { readEnvironment } from '@/server/platform/env'
import { exitWithParent } from '@/server/platform/parent-watch'
import { stopSignal } from '@/server/platform/stop-signal'
import { runCommand } from '@/server/platform/run-command'
import { openServices } from '@/server/platform/services'
import { createWebServer } from '@/server/platform/web/web-server'

await runCommand(async () => {
  exitWithParent()
  const stopping = stopSignal()
  const environment = readEnvironment()
  const services = await openServices('web', environment)
  const { log } = services
  // Next runs in this process and finds the database the same way.
  process.env['DATABASE_URL'] = services.databaseUrl

  // Next attaches itself to the server it is given and would answer every upgrade there, ours included: it gets one
  // that never listens, and is handed only what is meant for it.
  const nextServer = new Server()
  const isDevelopment = process.env['TAPLINE_DEV'] === '1'
  const app = next({
    dev: isDevelopment,
    dir: cloneFolder(),
    hostname: environment.host,
    port: environment.port,
    httpServer: nextServer,
  })
  await app.prepare()
  const handlePage = app.getRequestHandler()
  const web = createWebServer({
    services,
    isDevelopment,
    handlePage,
    handleUpgrade: (request, socket, head) =>
      isDevelopment && (request.url ?? '').startsWith('/_next/') && nextServer.emit('upgrade', request, socket, head),
  })
  await new Promise<void>((resolve, reject) => {
    web.server.once('error', reject)
    web.server.listen(environment.port, environment.host, resolve)
  })
  log.info({ host: environment.host, port: environment.port }, 'web is ready')

  await new Promise<void>((resolve) => {
    if (stopping.aborted) resolve()
    else stopping.addEventListener('abort', () => resolve(), { once: true })
  })
  await web.close()
  await app.close()
  await services.close()
  process.exit(0)
})
// Next keeps handles open: a start that failed must not look like one that runs.
if (process.exitCode) process.exit()
