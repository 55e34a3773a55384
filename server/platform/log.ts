import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'
import { redactFields, scrubSecrets } from './scrub'

export type Logger = PinoLogger

/**
 * A logger that writes one JSON object a line to stdout, with secrets removed from fields and from text.
 * Its level is `TAPLINE_LOG_LEVEL`, `info` by default.
 */
export function createLogger(name: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level: process.env['TAPLINE_LOG_LEVEL'] ?? 'info',
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (record: Record<string, unknown>) => redactFields(record) as Record<string, unknown>,
    },
    hooks: { streamWrite: scrubSecrets },
  }
  return destination ? pino(options, destination) : pino(options, pino.destination({ dest: 1, sync: true }))
}
