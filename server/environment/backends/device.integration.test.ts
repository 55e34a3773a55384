import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCredentialStore } from '@/server/device/adb/credential-store'
import { agentToken, startTestGateway, type TestGateway } from '@/server/device/testing/test-gateway'
import { startTestPhone, type TestPhone } from '@/server/device/testing/test-phone'
import { deviceGone, type EnvironmentSession, leaseLost, type OpenEnvironment } from '@/server/environment/contract'
import { taskInstance } from '@/server/environment/suite/task-list'
import { newId } from '@/server/platform/ids'
import { deviceEnvironment } from './device'
import { pngSize } from './phone-shell'

let phone: TestPhone
let gateway: TestGateway
let deviceId: string
let open: OpenEnvironment
const signal = new AbortController().signal
const task = taskInstance('messages-tell-lin', 3)

beforeAll(async () => {
  phone = await startTestPhone('ENV0001')
  gateway = await startTestGateway([phone.address])
  const [device] = await gateway.waitForDevices((devices) => devices[0]?.state === 'online')
  deviceId = device?.id ?? ''
  open = deviceEnvironment({
    gatewayUrl: `ws://${gateway.host}`,
    agentToken,
    credentialStore: createCredentialStore(),
    clock: () => Date.now(),
  })
})
afterAll(async () => {
  await gateway.close()
  await phone.stop()
})

const openSession = (resume: { initialData: unknown } | null = null) =>
  open({ episodeId: newId(), task, device: { id: deviceId, name: 'Phone', address: phone.address }, resume }, signal)

async function withSession<Value>(use: (session: EnvironmentSession) => Promise<Value>): Promise<Value> {
  const session = await openSession()
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}

const call = async (session: EnvironmentSession, tool: string, input: Record<string, unknown> = {}) =>
  session.call({ callId: newId(), tool, arguments: input }, signal)

test('the gold plan succeeds over adb, MCP and the gateway, by both doors', async () => {
  await withSession(async (session) => {
    expect(session.tools().map(({ name }) => name)).toEqual([
      'messages.search_contacts',
      'messages.list_threads',
      'messages.read_thread',
      'tap',
      'swipe',
      'type_text',
      'press_key',
      'open_app',
      'read_screen',
    ])
    const plan = task.plan()
    const codes: string[] = []
    let touches = 0
    let isSentByTouch = false
    for (let next = plan.next(); !next.done;) {
      const [{ tool, arguments: input } = { tool: '', arguments: {} }] = next.value.calls
      if (tool === 'ask_user' || tool === 'finish') {
        const data = { answer: task.expectedAnswer }
        next = plan.next([{ ok: true, code: 'ok', message: '', data }])
        continue
      }
      const outcome = await call(session, tool, input)
      codes.push(outcome.result.code)
      touches += outcome.touches.length
      if (tool === 'tap' && input['target'] === 'send') {
        isSentByTouch = (outcome.result.delta ?? []).some(
          (change) => change.op === 'add' && /messages\[/.test(change.path),
        )
      }
      next = plan.next([outcome.result])
    }
    expect(new Set(codes)).toEqual(new Set(['ok']))
    expect(touches).toBe(3)
    expect(isSentByTouch).toBe(true)
    const answers = [{ question: 'Which Lin?', text: task.expectedAnswer ?? '' }]
    expect(await session.verify({ answers }, signal)).toMatchObject({ outcome: 'succeeded' })
    expect(await session.verify({ answers: [] }, signal)).toMatchObject({ outcome: 'failed' })
  })
})

test('sees the screen, the tree, the app, the hash and the clock of the phone', async () => {
  await withSession(async (session) => {
    const home = await session.observe(signal)
    expect(home.screen && pngSize(home.screen.bytes)).toEqual({ width: 540, height: 1200 })
    expect(home).toMatchObject({ width: 540, height: 1200, rotation: 0 })
    expect(home.tree).toContain('<hierarchy')
    expect(home.stateHash).toMatch(/^[0-9a-f]{64}$/)
    expect(home.phoneAt).toBeGreaterThan(0)
    await call(session, 'open_app', { app: 'com.tapline.messages' })
    const messages = await session.observe(signal)
    expect(messages).toMatchObject({ app: 'com.tapline.messages', activity: expect.stringContaining('MainActivity') })
    expect(messages.tree).not.toBe(home.tree)
    expect(messages.frameNumber).not.toBeNull()
  })
})

test('says what is wrong with a call instead of throwing', async () => {
  await withSession(async (session) => {
    const code = async (tool: string, input: Record<string, unknown>) => (await call(session, tool, input)).result.code
    expect(await code('tap', { target: 'no such thing' })).toBe('not-found')
    expect(await code('tap', { x: 5 })).toBe('bad-arguments')
    expect(await code('tap', { x: 5_000, y: 5 })).toBe('bad-arguments')
    expect(await code('open_app', { app: 'com.example.none' })).toBe('not-found')
    expect(await code('open_app', { app: '; rm -rf /' })).toBe('bad-arguments')
    expect(await code('messages.send_message', { contactId: 'mum', text: 'x' })).toBe('unknown-tool')
    expect(await code('messages.read_thread', {})).toBe('bad-arguments')
  })
})

test('continues where it was, without setting the phone up again', async () => {
  const first = await openSession()
  const { initialData } = first
  await call(first, 'open_app', { app: 'com.tapline.messages' })
  await first.close()
  const second = await openSession({ initialData })
  expect(second.initialData).toBe(initialData)
  expect(await second.observe(signal)).toMatchObject({ app: 'com.tapline.messages' })
  await second.close()
})

test('a person who takes the device ends every further call with lease-lost', async () => {
  await withSession(async (session) => {
    const person = await gateway.connect(deviceId, 'operator', 'Ann')
    person.send({ type: 'lease.take', preempt: true })
    await person.waitForMessage('lease', (message) => message.holder?.mine === true)
    const before = phone.inputs.length
    const touched = await call(session, 'tap', { x: 10, y: 10 })
    expect(touched.result).toMatchObject({ ok: false, code: leaseLost })
    const read = await call(session, 'messages.read_thread', { contactId: 'mum' })
    expect(read.result.code).toBe(leaseLost)
    expect(phone.inputs).toHaveLength(before)
    await person.close()
  })
})

test('a phone that goes away ends a call with device-gone, and can be opened again when it is back', async () => {
  const session = await openSession()
  await phone.stop()
  expect((await call(session, 'read_screen')).result).toMatchObject({ ok: false, code: deviceGone })
  await session.close()
  await expect(openSession()).rejects.toMatchObject({ code: 'unavailable' })
  await phone.start()
  await gateway.waitForDevices((devices) => devices[0]?.state === 'online')
  const again = await openSession({ initialData: session.initialData })
  expect((await call(again, 'read_screen')).result.ok).toBe(true)
  await again.close()
})

test('an aborted call rejects', async () => {
  await withSession(async (session) => {
    const stop = new AbortController()
    const reading = session.call({ callId: newId(), tool: 'read_screen', arguments: {} }, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
    expect((await call(session, 'read_screen')).result.ok).toBe(true)
  })
})
