import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseConfiguration } from '@/server/wire/h264/configuration'
import type { ClientMessage, TouchMessage } from '@/server/wire/gateway/messages'
import { connectToGateway, leaseLostMessage } from '../gateway-client'
import { agentToken, startTestGateway, type TestGateway } from '../testing/test-gateway'
import { startTestPhone, type TestPhone } from '../testing/test-phone'
import { leaseDurationMs } from './lease'

let phone: TestPhone
let gateway: TestGateway
let deviceId: string
const clients: { close(): Promise<void> }[] = []

beforeAll(async () => {
  phone = await startTestPhone('TEST1')
  gateway = await startTestGateway([phone.address])
  const [device] = await gateway.waitForDevices((devices) => devices[0]?.state === 'online')
  deviceId = device?.id ?? ''
})
afterAll(async () => {
  await gateway?.close()
  await phone?.stop()
})
beforeEach(() => {
  phone.inputs.length = 0
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

async function connect(...args: Parameters<TestGateway['connect']> extends [string, ...infer Rest] ? Rest : never) {
  const client = await gateway.connect(deviceId, ...args)
  clients.push(client)
  return client
}

function touch(action: TouchMessage['action'], id?: number): ClientMessage {
  const at = { x: 270, y: 600, width: 540, height: 1200 }
  return { type: 'touch', action, pointerId: 0, ...at, ...(id === undefined ? {} : { id }) }
}

const session = () => gateway.registry.find(deviceId)?.session

async function untilStopped(): Promise<void> {
  await expect.poll(() => session()?.isRunning, { timeout: 5_000 }).toBe(false)
}

describe('video', () => {
  test('the first viewer starts the session; the configuration says that nothing is reordered', async () => {
    expect(session()?.isRunning).toBe(false)
    const client = await connect('viewer')
    const key = await client.waitForKeyFrame()
    expect({ width: key.width, height: key.height, frameNumber: key.frameNumber }).toEqual({
      width: 540,
      height: 1200,
      frameNumber: 0,
    })
    const [configuration] = client.received.frames
    expect(configuration?.kind).toBe('configuration')
    const { sps } = parseConfiguration(configuration?.data ?? new Uint8Array())
    expect(sps).toMatchObject({ width: 540, height: 1200, maxNumReorderFrames: 0 })
    expect(client.received.messages[0]).toMatchObject({ type: 'hello', deviceId, mayDrive: false })
    await client.waitForMessage('state', (message) => message.state === 'live')
  })

  test('a second viewer gets the picture at once, from the same session', async () => {
    const first = await connect('viewer')
    await first.waitForKeyFrame()
    const second = await connect('viewer', 'Second')
    const key = await second.waitForKeyFrame()
    expect(key.frameNumber).toBeLessThanOrEqual(session()?.fanOut.lastFrameNumber ?? -1)
    expect(second.received.frames[0]?.kind).toBe('configuration')
    const states = second.received.messages.filter((message) => message.type === 'state').map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['live']))
  })

  test('the session outlives one of two viewers and ends some time after the last', async () => {
    const first = await connect('viewer')
    const second = await connect('viewer', 'Second')
    await Promise.all([first.waitForKeyFrame(), second.waitForKeyFrame()])
    await first.close()
    expect(session()?.isRunning).toBe(true)
    await second.close()
    await untilStopped()
    const third = await connect('viewer')
    expect((await third.waitForKeyFrame()).frameNumber).toBe(0)
  })

  test('reset-video brings a new key frame', async () => {
    const client = await connect('viewer')
    const { frameNumber } = await client.waitForKeyFrame()
    client.send({ type: 'reset-video' })
    await client.waitFor(({ frames }) => frames.find((frame) => frame.isKey && frame.frameNumber > frameNumber))
  })
})

describe('the lease', () => {
  test('a spectator’s touch is refused and never reaches the phone', async () => {
    const spectator = await connect('viewer')
    await spectator.waitForKeyFrame()
    spectator.send({ type: 'lease.take', preempt: true })
    spectator.send(touch('down', 1))
    spectator.send(touch('up', 2))
    await spectator.waitForMessage('refused', (message) => message.id === 2)
    expect(spectator.received.messages.filter((message) => message.type === 'refused').map(({ code }) => code)).toEqual(
      ['not-allowed', 'not-allowed', 'not-allowed'],
    )
    const driver = await connect('operator')
    driver.send({ type: 'lease.take', preempt: false })
    driver.send({ type: 'key', id: 3, action: 'down', keycode: 3, metaState: 0 })
    await driver.waitForMessage('input.done', (message) => message.id === 3)
    await phone.waitForInputs((inputs) => inputs.length > 0)
    expect(phone.inputs).toEqual([expect.objectContaining({ type: 'key', keycode: 3 })])
  })

  test('an agent’s session: a person takes over, the agent is told and refused', async () => {
    const agent = await connectToGateway({
      url: `ws://${gateway.host}`,
      agentToken,
      deviceId,
      episodeId: '019368f4-7c1e-7a3b-8a57-2b1f0a6f9d11',
      name: 'Demonstration',
      signal: new AbortController().signal,
    })
    clients.push({ close: async () => agent.close() })
    const lost = new Promise<string | null>((resolve) => agent.onLeaseLost((to) => resolve(to?.name ?? null)))
    await agent.takeLease()
    const { frameNumber } = await agent.tap({ x: 10, y: 10 })
    expect(frameNumber).toBeGreaterThanOrEqual(0)
    expect(agent.lastFrame()).toMatchObject({ width: 540, height: 1200 })
    await phone.waitForInputs((inputs) => inputs.length === 2)
    expect(phone.inputs).toMatchObject([
      { type: 'pointer', action: 'down', x: 10, y: 10 },
      { type: 'pointer', action: 'up', x: 10, y: 10 },
    ])

    const person = await connect('operator', 'Ada')
    person.send({ type: 'lease.take', preempt: true })
    await person.waitForMessage('lease', (message) => message.holder?.mine === true)
    expect(await lost).toBe('Ada')
    await expect(agent.tap({ x: 10, y: 10 })).rejects.toMatchObject({ code: 'conflict', message: leaseLostMessage })
    await expect(agent.takeLease({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'busy' })
    const again = agent.takeLease()
    person.send({ type: 'lease.release' })
    await again
    await agent.key(4)
  })

  test('a second person is refused while the first drives', async () => {
    const [first, second] = [await connect('operator', 'Ada'), await connect('operator', 'Bo')]
    first.send({ type: 'lease.take', preempt: true })
    await first.waitForMessage('lease', (message) => message.holder?.mine === true)
    await second.waitForMessage('lease', (message) => message.holder?.name === 'Ada')
    second.send({ type: 'lease.take', preempt: true })
    expect(await second.waitForMessage('refused')).toMatchObject({ code: 'lease-held' })
    second.send(touch('down', 5))
    expect(await second.waitForMessage('refused', ({ id }) => id === 5)).toMatchObject({ code: 'lease-held' })
  })

  test('a lease that is not renewed runs out mid-drag: the finger is lifted, its holder told', async () => {
    const driver = await connect('operator')
    await driver.waitForKeyFrame()
    driver.send({ type: 'lease.take', preempt: false })
    driver.send(touch('down', 1))
    await driver.waitForMessage('input.done')
    gateway.time.offsetMs += leaseDurationMs
    await driver.waitFor(({ messages }) =>
      messages.findLast((message) => message.type === 'lease' && message.holder === null),
    )
    await phone.waitForInputs((inputs) => inputs.some((input) => input.type === 'pointer' && input.action === 'up'))
    driver.send(touch('move', 2))
    expect(await driver.waitForMessage('refused', ({ id }) => id === 2)).toMatchObject({ code: 'lease-lost' })
  })

  test('a socket that dies mid-drag lifts the finger and frees the device', async () => {
    const driver = await connect('operator', 'Ada')
    const watcher = await connect('operator', 'Bo')
    await Promise.all([driver.waitForKeyFrame(), watcher.waitForKeyFrame()])
    driver.send({ type: 'lease.take', preempt: false })
    driver.send(touch('down', 1))
    await driver.waitForMessage('input.done')
    driver.socket.terminate()
    await phone.waitForInputs((inputs) => inputs.some((input) => input.type === 'pointer' && input.action === 'up'))
    await watcher.waitFor(({ messages }) => {
      const leases = messages.filter((message) => message.type === 'lease').map(({ holder }) => holder?.name ?? null)
      return leases.includes('Ada') && leases.at(-1) === null ? true : undefined
    })
  })

  test('text goes in literally, whatever it contains', async () => {
    const driver = await connect('operator')
    await driver.waitForKeyFrame()
    driver.send({ type: 'lease.take', preempt: false })
    driver.send({ type: 'text', id: 1, text: `"a" $(reboot) %s` })
    driver.send({ type: 'text', id: 2, text: '你好🙂' })
    await driver.waitForMessage('input.done', ({ id }) => id === 2)
    expect(phone.inputs[0]).toEqual({ type: 'text', text: `"a" $(reboot) %s` })
    expect(phone.machine.clipboard()).toBe('你好🙂')
  })
})

describe('bad input', () => {
  test.each([
    ['no JSON', '{'],
    ['NaN', '{"type":"touch","action":"down","pointerId":0,"x":NaN,"y":0,"width":540,"height":1200}'],
    ['a negative place', JSON.stringify({ ...touch('down'), x: -1 })],
    ['a huge place', JSON.stringify({ ...touch('down'), x: 1e9 })],
    ['an unknown type', '{"type":"shell","command":"reboot"}'],
    ['too long a text', JSON.stringify({ type: 'text', text: 'x'.repeat(4_001) })],
  ])('%s is refused', async (_, text) => {
    const client = await connect('operator')
    client.send(text)
    expect(await client.waitForMessage('refused')).toMatchObject({ code: 'bad-message' })
  })

  test('20 of them close the connection', async () => {
    const client = await connect('operator')
    for (let count = 0; count < 20; count += 1) client.send('?')
    expect(await client.waitForClose()).toBe(1008)
  })

  test('a message over 64 KiB closes the connection', async () => {
    const client = await connect('operator')
    client.send('x'.repeat(65_537))
    expect(await client.waitForClose()).toBe(1009)
  })
})

test('a phone that restarts comes back by itself: same device, new picture, viewers still connected', async () => {
  const client = await connect('operator')
  await client.waitForKeyFrame()
  const before = client.received.frames.length
  await phone.stop()
  await client.waitForMessage('state', (message) => message.state === 'gone')
  await gateway.waitForDevices((devices) => devices[0]?.state === 'offline')
  client.send({ type: 'lease.take', preempt: false })
  client.send(touch('down', 1))
  expect(await client.waitForMessage('refused')).toMatchObject({ code: 'device-gone' })
  await phone.start()
  await client.waitFor(({ frames }) => frames.slice(before).find((frame) => frame.isKey))
  const devices = await gateway.waitForDevices((all) => all[0]?.state === 'online')
  expect(devices.map(({ id }) => id)).toEqual([deviceId])
})
