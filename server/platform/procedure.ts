import { initTRPC, TRPCError } from '@trpc/server'
import superjson from 'superjson'
import { ZodError, z } from 'zod'
import type { Database } from '@/db/client'
import type { BlobStore } from './blobs'
import type { Clock } from './clock'
import type { TaplineEnvironment } from './env'
import { TaplineError, trpcCodeOf } from './errors'
import type { Logger } from './log'
import type { Listener } from './notify'
import { hasRole, type Role, type SignedInPerson } from './people/contract'

/** What every procedure is given. */
export type RequestContext = {
  person: SignedInPerson | null
  db: Database
  databaseUrl: string
  clock: Clock
  /** Null where nothing can be followed (a page rendered on the server). */
  listener: Listener | null
  blobs: BlobStore
  log: Logger
  environment: TaplineEnvironment
}

const t = initTRPC.context<RequestContext>().create({
  transformer: superjson,
  // Never a stack: what the browser gets is the code, the sentence and, for bad input, which field.
  errorFormatter: ({ shape, error }) => {
    const { cause } = error
    const isOurs = cause instanceof TaplineError
    const isUnexpected = error.code === 'INTERNAL_SERVER_ERROR' && !isOurs
    return {
      ...shape,
      message:
        cause instanceof ZodError ? z.prettifyError(cause) : isUnexpected ? 'Something went wrong.' : shape.message,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path,
        taplineCode: isOurs ? cause.code : null,
        issues: cause instanceof ZodError ? z.flattenError(cause) : null,
      },
    }
  },
})

export const router = t.router
export const createCallerFactory = t.createCallerFactory

const mapped = t.middleware(async ({ ctx, next, path, type }) => {
  const result = await next()
  if (result.ok) return result
  const { cause } = result.error
  if (cause instanceof TaplineError && result.error.code === 'INTERNAL_SERVER_ERROR') {
    throw new TRPCError({ code: trpcCodeOf(cause.code), message: cause.message, cause })
  }
  if (result.error.code === 'INTERNAL_SERVER_ERROR')
    ctx.log.error({ err: cause ?? result.error, path, type }, 'procedure failed')
  return result
})

/** A procedure for people signed in with at least this role; `ctx.person` is not null in it. */
export function procedureFor(role: Role) {
  return t.procedure.use(mapped).use(({ ctx, next }) => {
    const { person } = ctx
    if (person === null) throw new TaplineError('not-signed-in', 'Sign in first: run `npm run link` for a link.')
    if (!hasRole(person.role, role)) {
      throw new TaplineError('not-allowed', `This needs the role ${role}; you are signed in as ${person.role}.`)
    }
    return next({ ctx: { ...ctx, person } })
  })
}
