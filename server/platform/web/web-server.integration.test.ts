import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { readEnvironment } from '../env'
import { createLogger } from '../log'
import { createLink } from '../people/create-link'
import { testDatabase } from '../testing/test-database'
import { createWebServer, type WebServer } from './web-server'

const agentToken = 'a'.repeat(64)
const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const gateway = createServer()
const sockets = new WebSocketServer({ server: gateway })
const seen: IncomingMessage[] = []
let logged = ''
let database: Awaited<ReturnType<typeof testDatabase>>
let web: WebServer
let port: number

const listening = async (server: typeof gateway) => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  database = await testDatabase()
  const gatewayPort = await listening(gateway)
  sockets.on('connection', (socket, request) => {
    seen.push(request)
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  const environment = readEnvironment({ NODE_ENV: 'test', TAPLINE_GATEWAY_PORT: String(gatewayPort) })
  web = createWebServer({
    services: {
      db: database.db,
      environment,
      instanceId: 'ab12',
      clock: () => Date.now(),
      agentToken,
      log: createLogger('web test', { write: (line) => (logged += line) }),
    },
    isDevelopment: false,
    handlePage: async (request, response) => {
      if (request.url === '/breaks') throw new Error(`broke on ${request.headers.referer}`)
      response.end(JSON.stringify(request.headers))
    },
    handleUpgrade: () => false,
  })
  port = await listening(web.server)
  environment.port = port
})
afterAll(async () => {
  await web.close()
  sockets.close()
  gateway.close()
  await database.close()
})

async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
  const request = httpRequest({ host: '127.0.0.1', port, path, method, headers })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode, headers: response.headers, body }
}

async function newLink(): Promise<string> {
  const { token } = await createLink(database.db, { name: 'Ada', role: 'admin', clock: () => Date.now() })
  return `/enter/${token}`
}

async function signIn(): Promise<string> {
  const { headers } = await ask(await newLink())
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

/** Opens a socket; resolves with its first echo, or with the status it was refused with. */
async function upgrade(path: string, headers: Record<string, string>): Promise<number | string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => socket.send('hello'))
    socket.on('message', (data: Buffer) => {
      resolve(data.toString())
      socket.close()
    })
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', reject)
  })
}

test('a link sets the cookie once, and is gone after that', async () => {
  const link = await newLink()
  const first = await ask(link, navigation)
  expect(first).toMatchObject({ status: 303, headers: { location: '/', 'referrer-policy': 'no-referrer' } })
  expect(first.headers['set-cookie']?.[0]).toMatch(
    /^tapline_ab12=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
  )
  const second = await ask(link, navigation)
  expect(second.status).toBe(410)
  expect(second.body).toContain('npm run link')
  expect(second.headers['set-cookie']).toBeUndefined()
})

test.each([
  ['HEAD', 'HEAD', {}],
  ['a prefetch', 'GET', { ...navigation, 'sec-purpose': 'prefetch;prerender' }],
  ['a preview', 'GET', { purpose: 'preview' }],
  ['a click on another site', 'GET', { ...navigation, 'sec-fetch-site': 'cross-site' }],
])('%s does not use a link up; the page asks to continue', async (_name, method, headers) => {
  const link = await newLink()
  const answer = await ask(link, headers, method)
  expect(answer.status).toBe(200)
  expect(answer.headers['set-cookie']).toBeUndefined()
  if (method === 'GET') expect(answer.body).toContain(`href="${link}"`)
  expect((await ask(link, { ...navigation, 'sec-fetch-site': 'same-origin' })).status).toBe(303)
})

test('behind a TLS proxy of this machine the cookie is bound to the host', async () => {
  const { headers } = await ask(await newLink(), { 'x-forwarded-proto': 'https' })
  expect(headers['set-cookie']?.[0]).toMatch(/^__Host-tapline_ab12=[\w-]{43}; .*; Secure$/)
})

test('without a session a page says how to get one, and everything else says it in a line', async () => {
  const page = await ask('/episodes', { ...navigation, 'sec-fetch-site': 'none' })
  expect(page).toMatchObject({ status: 401 })
  expect(page.body).toContain('npm run link')
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const call = await ask('/api/trpc/device.list')
  expect(call).toMatchObject({ status: 401, headers: { 'content-type': 'text/plain; charset=utf-8' } })
  const fromElsewhere = await ask('/episodes?a="><b>', { ...navigation, 'sec-fetch-site': 'cross-site' })
  expect(fromElsewhere.status).toBe(401)
  expect(fromElsewhere.body).toContain('href="/episodes?a=&quot;&gt;&lt;b&gt;"')
  expect((await ask('//evil.example/', { ...navigation, 'sec-fetch-site': 'cross-site' })).body).toContain('href="/"')
})

test('a foreign Host gets no HTML, with a session or without', async () => {
  const cookie = await signIn()
  for (const headers of [{ ...navigation }, { ...navigation, cookie }]) {
    const answer = await ask('/', { ...headers, host: 'rebind.evil.example' })
    expect(answer).toMatchObject({ status: 421, headers: { 'content-type': 'text/plain; charset=utf-8' } })
  }
})

test('a page gets a policy with a new nonce each time, told to Next as well', async () => {
  const cookie = await signIn()
  const nonces = new Set<string>()
  for (let round = 0; round < 2; round++) {
    const { headers, body } = await ask('/', { cookie, 'x-nonce': 'mine', 'x-middleware-subrequest': 'middleware' })
    const policy = headers['content-security-policy'] as string
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    nonces.add(nonce)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-eval')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    const told = JSON.parse(body) as Record<string, string>
    expect(told).toMatchObject({ 'x-nonce': nonce, 'content-security-policy': policy })
    expect(told['x-middleware-subrequest']).toBeUndefined()
  }
  expect(nonces.size).toBe(2)
  expect(nonces.has('')).toBe(false)
})

test('upgrades are piped to the gateway with their Host, both ways and in order', async () => {
  const cookie = await signIn()
  const own = `127.0.0.1:${port}`
  expect(await upgrade('/ws/trpc?x=1', { cookie, origin: `http://${own}`, 'x-middleware-subrequest': 'm' })).toBe(
    'hello',
  )
  const request = seen.at(-1)
  expect(request?.url).toBe('/ws/trpc?x=1')
  expect(request?.headers).toMatchObject({ host: own, cookie })
  expect(request?.headers['x-middleware-subrequest']).toBeUndefined()
  expect(await upgrade('/ws/device/1', { authorization: `Bearer ${agentToken}` })).toBe('hello')

  const socket = new WebSocket(`ws://${own}/ws/trpc`, { headers: { cookie } })
  await once(socket, 'open')
  const big = Buffer.alloc(8_000_000, 'x')
  socket.send(big)
  const [echo] = (await once(socket, 'message')) as [Buffer]
  expect(echo.equals(big)).toBe(true)
  socket.close()
  await once(socket, 'close')
})

test('refused upgrades are told why and never reach the gateway', async () => {
  const cookie = await signIn()
  const before = seen.length
  expect(await upgrade('/ws/trpc', { cookie, origin: 'https://evil.example' })).toBe(403)
  expect(await upgrade('/ws/trpc', {})).toBe(401)
  expect(await upgrade('/ws/trpc', { authorization: `Bearer ${agentToken}` })).toBe(401)
  expect(await upgrade('/ws/trpc', { cookie, host: 'rebind.evil.example' })).toBe(421)
  expect(await upgrade('/other', { cookie })).toBe(404)
  expect(seen.length).toBe(before)
})

test('a gateway that goes away takes its sockets along, one that is not there is a 503', async () => {
  const cookie = await signIn()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/trpc`, { headers: { cookie } })
  await once(socket, 'open')
  for (const client of sockets.clients) client.terminate()
  await once(socket, 'close')
  gateway.close()
  gateway.closeAllConnections()
  await once(gateway, 'close')
  expect(await upgrade('/ws/trpc', { cookie })).toBe(503)
})

test('a failing page is a 500 without details, and no token gets into the log', async () => {
  const cookie = await signIn()
  const link = await newLink()
  const answer = await ask('/breaks', { cookie, referer: `http://127.0.0.1:${port}${link}` })
  expect(answer).toMatchObject({ status: 500 })
  expect(answer.body).not.toContain('broke')
  expect(logged).toContain('broke on')
  expect(logged).not.toContain(link.slice('/enter/'.length))
})
