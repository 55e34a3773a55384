import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '@/server/platform/ids'
import { agentToken, startTestGateway, type TestGateway } from '../testing/test-gateway'
import { startTestPhone, type TestPhone } from '../testing/test-phone'

let phone: TestPhone
let gateway: TestGateway
let deviceId: string
let cookie: string

beforeAll(async () => {
  phone = await startTestPhone('TEST2')
  gateway = await startTestGateway([phone.address])
  const [device] = await gateway.waitForDevices((devices) => devices[0]?.state === 'online')
  deviceId = device?.id ?? ''
  cookie = await gateway.cookieFor('admin')
})
afterAll(async () => {
  await gateway?.close()
  await phone?.stop()
})

/** Sends a raw request and resolves with the first line of the answer; the connection must end by itself unless upgraded. */
function ask(path: string, headers: Record<string, string>, kind: 'upgrade' | 'request' = 'upgrade'): Promise<string> {
  const [host, port] = gateway.host.split(':')
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  const all = { Host: gateway.host, ...(kind === 'upgrade' ? upgrade : { Connection: 'close' }), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: host ?? '', port: Number(port) })
    let text = ''
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      // An upgraded connection stays open.
      if (text.startsWith('HTTP/1.1 101')) socket.destroy()
    })
    socket.once('close', () => resolve(text.split('\r\n', 1)[0] ?? ''))
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  })
}

const devicePath = () => `/ws/device/${deviceId}`

describe('an upgrade', () => {
  test('of our own page is taken', async () => {
    expect(await ask(devicePath(), { Origin: `http://${gateway.host}`, Cookie: cookie })).toContain(' 101 ')
    expect(await ask('/ws/trpc', { Origin: `http://${gateway.host}`, Cookie: cookie })).toContain(' 101 ')
  })

  test('from another origin is refused, also with a session', async () => {
    for (const path of [devicePath(), '/ws/trpc']) {
      expect(await ask(path, { Origin: 'https://evil.example', Cookie: cookie })).toBe('HTTP/1.1 403 Forbidden')
    }
  })

  test('without a session is refused', async () => {
    for (const path of [devicePath(), '/ws/trpc']) expect(await ask(path, {})).toBe('HTTP/1.1 401 Unauthorized')
    const old = `${cookie.slice(0, -4)}AAAA`
    expect(await ask(devicePath(), { Cookie: old })).toBe('HTTP/1.1 401 Unauthorized')
  })

  test.each(['rebind.evil.example', 'localhost.evil.com', '127.0.0.1.nip.io', '[::1%25x]'])(
    'for the host %s is refused',
    async (host) => {
      expect(await ask(devicePath(), { Host: host, Cookie: cookie })).toBe('HTTP/1.1 421 Misdirected Request')
    },
  )

  test('from a sandboxed frame or another site is refused', async () => {
    expect(await ask(devicePath(), { Origin: 'null', Cookie: cookie })).toBe('HTTP/1.1 403 Forbidden')
    const crossSite = { Origin: `http://${gateway.host}`, 'Sec-Fetch-Site': 'cross-site', Cookie: cookie }
    expect(await ask(devicePath(), crossSite)).toBe('HTTP/1.1 403 Forbidden')
  })

  test('of a device that is none is refused', async () => {
    const headers = { Cookie: cookie }
    expect(await ask(`/ws/device/${newId()}`, headers)).toBe('HTTP/1.1 404 Not Found')
    for (const id of ['emulator-5554;rm%20-rf', '-s', '..%2F..%2Fx', 'x'.repeat(300)]) {
      expect(await ask(`/ws/device/${id}`, headers)).toBe('HTTP/1.1 400 Bad Request')
    }
    expect(await ask('/ws/device/../trpc', headers)).toBe('HTTP/1.1 404 Not Found')
  })

  test('of an agent needs the token and says who it is', async () => {
    const query = `?episode=${newId()}&name=Demonstration`
    const authorization = { Authorization: `Bearer ${agentToken}` }
    expect(await ask(devicePath() + query, authorization)).toContain(' 101 ')
    expect(await ask(devicePath(), authorization)).toBe('HTTP/1.1 400 Bad Request')
    expect(await ask(devicePath() + query, { Authorization: `Bearer ${'b'.repeat(64)}` })).toBe(
      'HTTP/1.1 401 Unauthorized',
    )
    expect(await ask('/ws/trpc', authorization)).toBe('HTTP/1.1 401 Unauthorized')
  })
})

describe('a request', () => {
  test('for another host gets no page', async () => {
    expect(await ask('/', { Host: 'rebind.evil.example' }, 'request')).toBe('HTTP/1.1 421 Misdirected Request')
    expect(await ask('/healthz', { Host: 'rebind.evil.example' }, 'request')).toBe('HTTP/1.1 421 Misdirected Request')
  })

  test('may ask whether the gateway lives; how many devices there are is for people who are signed in', async () => {
    const health = async (headers: Record<string, string>) => {
      const response = await fetch(`http://${gateway.host}/healthz`, { headers })
      return { status: response.status, body: await response.json() }
    }
    expect(await health({})).toEqual({ status: 200, body: { ok: true } })
    expect(await health({ cookie })).toEqual({ status: 200, body: { ok: true, devices: { known: 1, online: 1 } } })
  })

  test('for anything else finds nothing', async () => {
    expect(await ask('/', {}, 'request')).toBe('HTTP/1.1 401 Unauthorized')
    expect(await ask('/', { Cookie: cookie }, 'request')).toBe('HTTP/1.1 404 Not Found')
  })
})

test('a viewer that sends touches reaches no phone', async () => {
  const viewer = await gateway.connect(deviceId, 'annotator')
  viewer.send({ type: 'touch', id: 1, action: 'down', pointerId: 0, x: 1, y: 1, width: 540, height: 1200 })
  expect(await viewer.waitForMessage('refused')).toMatchObject({ code: 'not-allowed', id: 1 })
  expect(phone.inputs).toEqual([])
  await viewer.close()
})

test('10 000 messages a second are dropped, and their sender is closed', async () => {
  const flooder = await gateway.connect(deviceId, 'operator', 'Flood')
  for (let second = 0; second <= 4; second += 1) {
    for (let count = 0; count < 2_000; count += 1) {
      if (flooder.socket.readyState === flooder.socket.OPEN) flooder.send({ type: 'reset-video' })
    }
    if (second === 0) await flooder.waitForMessage('refused', ({ code }) => code === 'rate-limited')
    // Once the gateway has seen all of this second.
    await new Promise<void>((resolve) => {
      if (flooder.socket.readyState !== flooder.socket.OPEN) return resolve()
      flooder.socket.once('pong', () => resolve())
      flooder.socket.once('close', () => resolve())
      flooder.socket.ping()
    })
    gateway.time.offsetMs += 1_000
  }
  expect(await flooder.waitForClose()).toBe(1008)
})
