import type { TRPC_ERROR_CODE_KEY } from '@trpc/server'

const codes = {
  'bad-input': 'BAD_REQUEST',
  'not-signed-in': 'UNAUTHORIZED',
  'not-allowed': 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  // tRPC has no code of its own for 410.
  gone: 'NOT_FOUND',
  busy: 'CONFLICT',
  'rate-limited': 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<string, TRPC_ERROR_CODE_KEY>

export type ErrorCode = keyof typeof codes

/** The one error of the server: a code, and a sentence that says what happened and what to do next. */
export class TaplineError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'TaplineError'
    this.code = code
  }
}

/** The tRPC code of a code. */
export function trpcCodeOf(code: ErrorCode): TRPC_ERROR_CODE_KEY {
  return codes[code]
}
