import { expect, test, vi } from 'vitest'
import type { Database } from '@/db/client'
import { type CheckedRequest, checkRequest, isNavigationFromElsewhere } from './check-request'

const ada = { id: '1', name: 'Ada', role: 'admin' as const }
vi.mock('./authenticate', () => ({
  authenticate: async (_db: unknown, cookie: string | undefined) => (cookie === 'valid' ? ada : null),
}))

const agentToken = 'a'.repeat(64)
const base: CheckedRequest = {
  method: 'GET',
  headers: { host: '127.0.0.1:4300' },
  remoteAddress: '127.0.0.1',
  kind: 'request',
  path: '/',
}
type Change = Partial<Omit<CheckedRequest, 'headers'>> & { headers?: CheckedRequest['headers'] }

async function statusOf(change: Change, environment = {}): Promise<number> {
  const verdict = await checkRequest(
    { ...base, ...change, headers: { ...base.headers, ...change.headers } },
    {
      db: {} as Database,
      environment: { host: '127.0.0.1', port: 4300, gatewayPort: 4301, publicHosts: [], ...environment },
      instanceId: 'ab12',
      clock: () => 0,
      agentToken,
    },
  )
  return verdict.ok ? 200 : verdict.status
}

const signedIn = { cookie: 'valid' }
const upgrade = { kind: 'upgrade', path: '/ws/trpc' } as const
const device = { kind: 'upgrade', path: '/ws/device/1' } as const

test.each<[string, number, Change]>([
  ['1: upgrade from another origin', 403, { ...upgrade, headers: { ...signedIn, origin: 'https://evil.example' } }],
  ['1: the same on a device', 403, { ...device, headers: { ...signedIn, origin: 'https://evil.example' } }],
  ['1: own name at another port', 403, { ...upgrade, headers: { ...signedIn, origin: 'http://127.0.0.1:3000' } }],
  ['1: localhost is not 127.0.0.1', 403, { ...upgrade, headers: { ...signedIn, origin: 'http://localhost:4300' } }],
  [
    '1: an origin that starts like ours',
    403,
    { headers: { ...signedIn, origin: 'http://127.0.0.1:4300.evil.example' } },
  ],
  ['2: upgrade with nothing', 401, upgrade],
  ['2: device upgrade with nothing', 401, device],
  ['2: upgrade on a page path with nothing', 401, { kind: 'upgrade', path: '/_next/static/x' }],
  ['3: rebinding', 421, { headers: { ...signedIn, host: 'rebind.evil.example' } }],
  ['3: rebinding at our port', 421, { headers: { ...signedIn, host: 'rebind.evil.example:4300' } }],
  ['3: rebinding upgrade', 421, { ...upgrade, headers: { ...signedIn, host: 'rebind.evil.example:4300' } }],
  ['3: loopback at another port', 421, { headers: { ...signedIn, host: '127.0.0.1:3000' } }],
  ['3: loopback without a port', 421, { headers: { ...signedIn, host: '127.0.0.1' } }],
  ['4: localhost.evil.com', 421, { headers: { ...signedIn, host: 'localhost.evil.com:4300' } }],
  ['4: 127.0.0.1.nip.io', 421, { headers: { ...signedIn, host: '127.0.0.1.nip.io:4300' } }],
  ['4: [::1%25x]', 421, { headers: { ...signedIn, host: '[::1%25x]:4300' } }],
  ['4: user@host', 421, { headers: { ...signedIn, host: 'evil@127.0.0.1:4300' } }],
  ['4: two hosts', 421, { headers: { ...signedIn, host: '127.0.0.1:4300, evil.example' } }],
  ['4: an empty host', 421, { headers: { ...signedIn, host: '' } }],
  [
    '5: cross-site form post',
    403,
    {
      method: 'POST',
      path: '/api/trpc/x',
      headers: { ...signedIn, origin: 'https://evil.example', 'content-type': 'text/plain' },
    },
  ],
  [
    '5: cross-site post that hides its origin',
    403,
    {
      method: 'POST',
      headers: {
        ...signedIn,
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    },
  ],
  ['5: a method that makes no sense', 405, { method: 'TRACE', headers: signedIn }],
  ['5: a preflight', 405, { method: 'OPTIONS', headers: signedIn }],
  ['5: an upgrade by POST', 405, { ...upgrade, method: 'POST', headers: signedIn }],
  ['6: sandboxed frame', 403, { headers: { ...signedIn, origin: 'null' } }],
  ['6: sandboxed frame upgrade', 403, { ...upgrade, headers: { ...signedIn, origin: 'null' } }],
  [
    '6: cross-site fetch',
    403,
    { headers: { ...signedIn, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } },
  ],
  ['6: cross-site upgrade', 403, { ...upgrade, headers: { ...signedIn, 'sec-fetch-site': 'cross-site' } }],
  [
    '6: another port of this machine',
    403,
    { headers: { ...signedIn, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' } },
  ],
  [
    '7: cross-site frame',
    403,
    {
      headers: {
        ...signedIn,
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'iframe',
      },
    },
  ],
  [
    '9: pretending to be an inner request of Next',
    401,
    {
      path: '/episodes',
      headers: { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
    },
  ],
  [
    '11: agent token from another machine',
    401,
    { ...device, remoteAddress: '192.168.1.9', headers: { authorization: `Bearer ${agentToken}` } },
  ],
  ['11: agent token on a page', 401, { headers: { authorization: `Bearer ${agentToken}` } }],
  ['11: agent token on the procedures', 401, { ...upgrade, headers: { authorization: `Bearer ${agentToken}` } }],
  ['11: wrong agent token', 401, { ...device, headers: { authorization: `Bearer ${'b'.repeat(64)}` } }],
  ['no session', 401, {}],
  ['a session that is not one', 401, { headers: { cookie: 'invalid' } }],
  ['no session on a procedure', 401, { path: '/api/trpc/device.list' }],
  ['dots out of the public part', 401, { path: '/_next/static/../../episodes' }],
  ['encoded dots', 401, { path: '/_next/static/%2e%2e/episodes' }],
  ['a post to the public part', 401, { method: 'POST', path: '/enter/abc' }],
])('attack %s gets %i', async (_name, status, change) => {
  expect(await statusOf(change)).toBe(status)
})

test.each<[string, Change]>([
  ['a page with a session', { headers: signedIn }],
  ['by the name localhost', { headers: { ...signedIn, host: 'LocalHost:4300' } }],
  ['over IPv6', { headers: { ...signedIn, host: '[::1]:4300' } }],
  ['at the gateway', { ...upgrade, headers: { ...signedIn, host: '127.0.0.1:4301' } }],
  [
    'a mutation of our own page',
    { method: 'POST', headers: { ...signedIn, origin: 'http://127.0.0.1:4300', 'sec-fetch-site': 'same-origin' } },
  ],
  ['an upgrade of our own page', { ...upgrade, headers: { ...signedIn, origin: 'http://127.0.0.1:4300' } }],
  ['behind a TLS proxy', { headers: { ...signedIn, origin: 'https://127.0.0.1:4300' } }],
  ['a typed address', { headers: { ...signedIn, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' } }],
  [
    'a link on another site',
    {
      path: '/enter/abc',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    },
  ],
  ['the files of the pages', { path: '/_next/static/chunks/a.js?v=1' }],
  ['the worker on a device', { ...device, headers: { authorization: `Bearer ${agentToken}` } }],
  [
    'the worker over IPv6',
    { ...device, remoteAddress: '::ffff:127.0.0.1', headers: { authorization: `Bearer ${agentToken}` } },
  ],
])('lets in %s', async (_name, change) => {
  expect(await statusOf(change)).toBe(200)
})

test('says who it is', async () => {
  const context = {
    db: {} as Database,
    environment: { host: '127.0.0.1', port: 4300, gatewayPort: 4301, publicHosts: [] },
    instanceId: 'ab12',
    clock: () => 0,
    agentToken,
  }
  expect(await checkRequest({ ...base, headers: { ...base.headers, ...signedIn } }, context)).toEqual({
    ok: true,
    person: ada,
    isAgent: false,
  })
  const headers = { ...base.headers, authorization: `Bearer ${agentToken}` }
  expect(await checkRequest({ ...base, ...device, headers }, context)).toEqual({
    ok: true,
    person: null,
    isAgent: true,
  })
})

test.each([
  ['tapline.example', ['tapline.example'], 200],
  ['tapline.example:4300', ['tapline.example'], 200],
  ['tapline.example:9999', ['tapline.example'], 421],
  ['lab:8080', ['lab:8080'], 200],
  ['lab:4300', ['lab:8080'], 421],
  ['sub.tapline.example', ['tapline.example'], 421],
])('with public hosts, Host %s of %j gets %i', async (host, publicHosts, status) => {
  expect(await statusOf({ headers: { ...signedIn, host } }, { publicHosts })).toBe(status)
})

test('answers to the address it was bound to, but a wildcard is no name', async () => {
  const headers = { ...signedIn, host: '192.168.1.5:4300' }
  expect(await statusOf({ headers }, { host: '192.168.1.5' })).toBe(200)
  expect(await statusOf({ headers }, { host: '0.0.0.0' })).toBe(421)
  expect(await statusOf({ headers: { ...signedIn, host: '0.0.0.0:4300' } }, { host: '0.0.0.0' })).toBe(421)
})

test('knows a person who comes by a link on another site', () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  expect(isNavigationFromElsewhere({ method: 'GET', headers })).toBe(true)
  expect(isNavigationFromElsewhere({ method: 'GET', headers: { ...headers, 'sec-fetch-site': 'none' } })).toBe(false)
  expect(isNavigationFromElsewhere({ method: 'GET', headers: {} })).toBe(false)
})
