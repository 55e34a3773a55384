import type { TRPC_ERROR_CODE_KEY } from '@trpc/server'

const codes = {
  'bad-input': { status: 400, trpc: 'BAD_REQUEST' },
  'not-signed-in': { status: 401, trpc: 'UNAUTHORIZED' },
  'not-allowed': { status: 403, trpc: 'FORBIDDEN' },
  'not-found': { status: 404, trpc: 'NOT_FOUND' },
  conflict: { status: 409, trpc: 'CONFLICT' },
  // tRPC has no code of its own for 410.
  gone: { status: 410, trpc: 'NOT_FOUND' },
  busy: { status: 409, trpc: 'CONFLICT' },
  'rate-limited': { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  unavailable: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
  internal: { status: 500, trpc: 'INTERNAL_SERVER_ERROR' },
} as const satisfies Record<string, { status: number; trpc: TRPC_ERROR_CODE_KEY }>

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

/** The HTTP status of a code. */
export function httpStatusOf(code: ErrorCode): number {
  return codes[code].status
}

/** The tRPC code of a code. */
export function trpcCodeOf(code: ErrorCode): TRPC_ERROR_CODE_KEY {
  return codes[code].trpc
}
