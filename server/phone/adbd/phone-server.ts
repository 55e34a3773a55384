import type { Logger } from '@/server/platform/log'
import type { PhoneMachine } from '@/server/phone/contract'
import { startLiveClock } from '@/server/phone/live-clock'
import { runScrcpyServer } from '@/server/phone/scrcpyd/scrcpy-server'
import { ScreenFeed } from '@/server/phone/scrcpyd/screen-feed'
import { PhoneLog } from '@/server/phone/shell/phone-log'
import { programs } from '@/server/phone/shell/programs'
import type { PhoneIdentity } from '@/server/phone/shell/properties'
import { resetTables, type ShellDevice } from '@/server/phone/shell/shell-device'
import { VirtualFiles } from '@/server/phone/shell/virtual-files'
import { serveTools, toolsSocketName } from '@/server/phone/tools-server/serve-tools'
import { AbstractSockets } from './abstract-sockets'
import { startAdbDaemon } from './adb-daemon'
import { findService } from './find-service'

export type PhoneServerOptions = {
  machine: PhoneMachine
  identity: PhoneIdentity
  /** TCP port on 127.0.0.1; 0 takes a free one. */
  port: number
  /** Seed of `tapline reset` without `--seed`. */
  seed: number
  logger: Logger
  /** Starts another phone from a snapshot and returns its `host:port`. */
  fork(snapshot: string): Promise<string>
}

export type PhoneServer = { readonly port: number; close(): Promise<void> }

/** A live phone behind an adb daemon: its clock runs, and shell, files, scrcpy and tools answer. */
export async function startPhoneServer(options: PhoneServerOptions): Promise<PhoneServer> {
  const { identity, logger } = options
  const clock = startLiveClock(options.machine)
  const { machine } = clock
  const feed = new ScreenFeed(machine)
  const sockets = new AbstractSockets()
  const now = () => machine.now()
  const device: ShellDevice = {
    machine,
    files: new VirtualFiles({ now, programs: [...programs.keys()] }),
    log: new PhoneLog(now),
    properties: new Map(),
    settings: new Map(),
    identity,
    initialSeed: options.seed,
    capturePng: () => feed.png(),
    captureRgba: () => feed.currentRgba(),
    runScrcpyServer: (args, output, signal) => {
      return runScrcpyServer(args, output, signal, { machine, feed, sockets, name: identity.name })
    },
    fork: () => options.fork(machine.snapshot()),
  }
  resetTables(device)
  device.log.write('I', 'tapline', `${identity.name} (${identity.serial}) is up`)
  sockets.listen(toolsSocketName, (stream) => serveTools(stream, machine))
  const stopClock = () => clock.stop()
  try {
    const daemon = await startAdbDaemon({
      port: options.port,
      logger,
      properties: {
        'ro.product.name': 'vphone',
        'ro.product.model': identity.name,
        'ro.product.device': 'vphone',
      },
      findService: (name) => findService(name, { device, sockets }),
    })
    return {
      port: daemon.port,
      close: async () => {
        stopClock()
        await daemon.close()
      },
    }
  } catch (error) {
    stopClock()
    throw error
  }
}
