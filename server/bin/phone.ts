import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createLogger } from '@/server/platform/log'
import { exitWithParent } from '@/server/platform/parent-watch'
import { stopSignal } from '@/server/platform/stop-signal'
import { startPhoneServer } from '@/server/phone/adbd/phone-server'
import { warmUp } from '@/server/phone/encoder/h264-encoder'
import { createPhoneMachine } from '@/server/phone/machine'
import { createPhoneForks } from '@/server/phone/shell/fork-phone'

/** `TAPLINE_PHONE_*`; the serial is what tells phones apart, the name what people see (no `:`, `;` or NUL: adb's banner). */
const environment = z.object({
  TAPLINE_PHONE_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  TAPLINE_PHONE_NAME: z
    .string()
    .regex(/^[^:;\0]{1,60}$/, 'must have 1 to 60 characters without : and ;')
    .default('Tapline phone'),
  TAPLINE_PHONE_SERIAL: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, dashes or underscores')
    .default('TAPLINE0001'),
  TAPLINE_PHONE_SEED: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
  TAPLINE_PHONE_SNAPSHOT: z.string().min(1).optional(),
})

const stopped = stopSignal()
exitWithParent()
const logger = createLogger('phone')
const settings = environment.safeParse(process.env)
if (!settings.success) {
  logger.fatal(z.prettifyError(settings.error))
  process.exit(2)
}
const {
  TAPLINE_PHONE_PORT: port,
  TAPLINE_PHONE_NAME: name,
  TAPLINE_PHONE_SERIAL: serial,
  TAPLINE_PHONE_SEED: seed,
  TAPLINE_PHONE_SNAPSHOT: snapshotFile,
} = settings.data

const identity = { name, serial }
const forks = createPhoneForks({ entryFile: fileURLToPath(import.meta.url), identity, seed })
try {
  const snapshot = snapshotFile === undefined ? undefined : await readFile(snapshotFile, 'utf8')
  const machine = createPhoneMachine({ seed, ...(snapshot === undefined ? {} : { snapshot }) })
  // The first picture comes at once instead of after a quarter of a second.
  warmUp()
  const server = await startPhoneServer({
    machine,
    identity,
    port,
    seed,
    logger,
    fork: (state) => forks.start(state),
  })
  logger.info({ listening: server.port, serial }, 'phone is up')
  const stop = async () => {
    await Promise.all([server.close(), forks.close()])
    process.exit(0)
  }
  stopped.addEventListener('abort', () => void stop(), { once: true })
  if (stopped.aborted) await stop()
} catch (error) {
  logger.fatal({ err: error }, 'the phone can not start')
  process.exit(1)
}
