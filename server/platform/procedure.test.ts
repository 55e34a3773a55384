import { TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import superjson from 'superjson'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readEnvironment } from './env'
import { TaplineError } from './errors'
import { createLogger } from './log'
import type { Role } from './people/contract'
import { procedureFor, type RequestContext, router } from './procedure'

let logged = ''
const appRouter = router({
  whoAmI: procedureFor('operator').query(({ ctx }) => ctx.person.name),
  add: procedureFor('viewer')
    .input(z.object({ count: z.number().int() }))
    .mutation(({ input }) => input.count),
  busy: procedureFor('viewer').query(() => {
    throw new TaplineError('rate-limited', 'Wait a minute.')
  }),
  gone: procedureFor('viewer').query(() => {
    throw new TRPCError({ code: 'NOT_FOUND', message: 'Nothing here.' })
  }),
  bug: procedureFor('viewer').query(() => {
    throw new Error('secret detail')
  }),
})

function contextOf(role: Role | null): RequestContext {
  return {
    person: role === null ? null : { id: '1', name: 'Ada', role },
    db: null as never,
    databaseUrl: '',
    clock: () => 0,
    listener: null,
    blobs: null as never,
    log: createLogger('procedure test', { write: (line) => (logged += line) }),
    environment: readEnvironment({ NODE_ENV: 'test' }),
  }
}

async function ask(path: string, role: Role | null, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  const request = new Request(`http://x/trpc/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(superjson.serialize(body)) }),
  })
  const response = await fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router: appRouter,
    createContext: () => contextOf(role),
  })
  const text = await response.text()
  const answer = JSON.parse(text) as { error?: { json: { message: string; data: Record<string, unknown> } } }
  return { status: response.status, error: answer.error?.json, text }
}

test.each<[Role | null, number]>([
  [null, 401],
  ['viewer', 403],
  ['annotator', 403],
  ['operator', 200],
  ['admin', 200],
])('a procedure for operators answers %s with %i', async (role, status) => {
  expect((await ask('whoAmI', role)).status).toBe(status)
})

test('our errors keep their code and sentence', async () => {
  const { status, error } = await ask('busy', 'viewer')
  expect(status).toBe(429)
  expect(error).toMatchObject({ message: 'Wait a minute.', data: { taplineCode: 'rate-limited', issues: null } })
  expect((await ask('gone', 'viewer')).error).toMatchObject({ message: 'Nothing here.', data: { taplineCode: null } })
})

test('bad input says which field', async () => {
  const { status, error } = await ask('add', 'viewer', { count: 1.5 })
  expect(status).toBe(400)
  expect(error?.data['issues']).toMatchObject({ fieldErrors: { count: [expect.any(String)] } })
})

test('a mutation by GET is refused', async () => {
  expect((await ask('add', 'viewer')).status).toBe(405)
})

test('a bug tells the log, not the browser', async () => {
  const { status, error, text } = await ask('bug', 'viewer')
  expect(status).toBe(500)
  expect(error?.message).toBe('Something went wrong.')
  expect(text).not.toMatch(/secret detail|stack|\.ts/)
  expect(logged).toContain('secret detail')
})
