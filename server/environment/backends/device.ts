import type { Adb, AdbCredentialStore } from '@yume-chan/adb'
import {
  type CallOutcome,
  deviceGone,
  type EnvironmentOpening,
  type EnvironmentSession,
  leaseLost,
  type OpenEnvironment,
} from '@/server/environment/contract'
import { deviceTools } from '@/server/environment/tools/device-tools'
import { type DeviceHands, isDeviceTool, runDeviceTool } from '@/server/environment/tools/run-device-tool'
import { openAdb } from '@/server/device/adb/open-adb'
import { connectToGateway, type GatewayConnection } from '@/server/device/gateway-client'
import type { Clock } from '@/server/platform/clock'
import { TaplineError } from '@/server/platform/errors'
import type { ToolCall, ToolResult } from '@/server/tool/contract'
import { diffState } from '@/server/tool/model/diff-state'
import { toExposedTool } from '@/server/tool/model/function-schema'
import { toDevicePixel } from '@/server/trajectory/model/coordinates'
import type { Verdict } from '@/server/trajectory/contract'
import { observeDevice } from './observe-device'
import { readForeground, readScreenSize, readState, readTree, setUpPhone, startApp } from './phone-shell'
import { settle } from './settle'
import { connectToTools, type ToolConnection } from './tool-connection'

export type DeviceBackend = {
  /** `ws://127.0.0.1:<port>` of the gateway that has the device. */
  gatewayUrl: string
  agentToken: string
  credentialStore: AdbCredentialStore
  clock: Clock
}

const leaseWithinMs = 10_000
/** How long data may rest between two changes that belong together, such as sending and sent. */
const deliveryMs = 1_000

/** Opens devices over adb and the gateway: the backend for real phones and the virtual one alike. */
export function deviceEnvironment(backend: DeviceBackend): OpenEnvironment {
  return async (opening, signal) => {
    const life = new AbortController()
    const giveUp = () => life.abort(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      signal.throwIfAborted()
      return await openDevice(backend, opening, life)
    } catch (error) {
      life.abort()
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
}

/** Why the device can't be acted on any more. */
type Loss = { code: typeof leaseLost | typeof deviceGone; message: string }

async function openDevice(
  backend: DeviceBackend,
  { episodeId, task, device, resume }: EnvironmentOpening,
  life: AbortController,
): Promise<EnvironmentSession> {
  const { clock } = backend
  const { signal } = life
  const adb = await openAdb(device.address, { signal, credentialStore: backend.credentialStore })
  let loss: Loss | null = null
  const lose = (code: Loss['code'], message: string) => {
    loss ??= { code, message }
  }
  const lossNow = (): Loss | null => loss
  adb.disconnected.then(
    () => lose(deviceGone, `${device.name} closed the connection.`),
    () => lose(deviceGone, `The connection to ${device.name} broke.`),
  )
  const gateway = await connectToGateway({
    url: backend.gatewayUrl,
    agentToken: backend.agentToken,
    deviceId: device.id,
    episodeId,
    name: task.title,
    signal,
  })
  gateway.onLeaseLost((to) => {
    if (to === null) lose(deviceGone, `The connection to ${device.name} was lost.`)
    else lose(leaseLost, `${to.name} has ${device.name} now.`)
  })
  await gateway.takeLease({ timeoutMs: leaseWithinMs })
  const initialData = resume ? resume.initialData : await setUpPhone(adb, task, signal)
  const appTools = await connectToTools(adb, signal)
  const size = await readScreenSize(adb, signal)
  const shown = new Set(task.tools)

  const call = async (toolCall: ToolCall, callSignal: AbortSignal): Promise<CallOutcome> => {
    const startedAt = clock()
    const outcome = (result: ToolResult, touches: CallOutcome['touches'] = []): CallOutcome => ({
      result,
      touches,
      durationMs: clock() - startedAt,
    })
    const within = AbortSignal.any([signal, callSignal])
    const lost = lossNow()
    if (lost) return outcome({ ok: false, ...lost, data: null })
    try {
      if (isDeviceTool(toolCall.tool)) {
        const { result, touches } = await callDevice({ adb, gateway, size }, toolCall, within)
        return outcome(result, touches)
      }
      return outcome(await callApp(appTools, shown, toolCall, within))
    } catch (error) {
      callSignal.throwIfAborted()
      return outcome(failureOf(error, lossNow()))
    }
  }

  return {
    initialData,
    tools: () => [...(appTools?.tools ?? []).filter(({ name }) => shown.has(name)), ...deviceTools.map(toExposedTool)],
    call,
    async observe(observeSignal) {
      const seen = await observeDevice(adb, AbortSignal.any([signal, observeSignal]))
      if (seen.screen) Object.assign(size, { width: seen.width, height: seen.height })
      return { ...seen, frameNumber: gateway.lastFrame()?.frameNumber ?? null }
    },
    async verify(evidence, verifySignal): Promise<Verdict> {
      const within = AbortSignal.any([signal, verifySignal])
      const state = await readSettledState(adb, within)
      if (state === null || initialData === null) {
        const reason = `The state of ${device.name} can't be read, so a person has to judge.`
        return { outcome: 'unverified', checks: [], reason }
      }
      try {
        return task.check(initialData, state.data, evidence)
      } catch (error) {
        const reason = `The check could not judge: ${error instanceof Error ? error.message : String(error)}`
        return { outcome: 'unverified', checks: [], reason }
      }
    },
    async close() {
      await appTools?.close().catch(() => undefined)
      gateway.releaseLease()
      gateway.close()
      await adb.close().catch(() => undefined)
      life.abort()
    },
  }
}

async function callApp(
  appTools: ToolConnection | null,
  shown: ReadonlySet<string>,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  if (!appTools || !shown.has(call.tool)) {
    return { ok: false, code: 'unknown-tool', message: `There is no tool ${call.tool}.`, data: null, delta: [] }
  }
  return appTools.call(call.tool, call.arguments, signal)
}

type Reach = { adb: Adb; gateway: GatewayConnection; size: { width: number; height: number } }

/** Runs a device tool and waits for what it did to the screen; the delta is what changed of the phone's data. */
async function callDevice(reach: Reach, call: ToolCall, signal: AbortSignal) {
  const { adb } = reach
  const before = await readState(adb, signal)
  // What the screen shows: the phone's own state where it can be read (its clock aside), else what accessibility sees.
  const read = async () => {
    if (before === null) return readTree(adb, signal)
    const state = await readState(adb, signal)
    return JSON.stringify([state?.data, state?.ui])
  }
  const shownBefore = before === null ? await readTree(adb, signal) : JSON.stringify([before.data, before.ui])
  const { result, touches, touchedDevice } = await runDeviceTool(handsOf(reach, signal), call.tool, call.arguments)
  if (!touchedDevice) return { result, touches }
  await settle(shownBefore, read, { signal })
  const after = before === null ? null : await readState(adb, signal)
  const delta = before === null || after === null ? null : diffState(before.data, after.data)
  return { result: { ...result, delta }, touches }
}

function handsOf({ adb, gateway, size }: Reach, signal: AbortSignal): DeviceHands {
  // The stream may be smaller than the screen; the gateway takes pixels of the stream.
  const onFrame = async (at: { x: number; y: number }) => {
    const frame = await gateway.firstFrame()
    return toDevicePixel({ ...at, space: { kind: 'pixels', ...size } }, frame)
  }
  return {
    ...size,
    async tap(at) {
      await gateway.tap(await onFrame(at))
    },
    async swipe(from, to, durationMs) {
      await gateway.swipe(await onFrame(from), await onFrame(to), { durationMs })
    },
    async key(keycode) {
      await gateway.key(keycode)
    },
    async text(text) {
      await gateway.text(text)
    },
    openApp: async (packageName) => ({ isKnown: await startApp(adb, packageName, signal) }),
    readTree: () => readTree(adb, signal),
    foregroundApp: async () => (await readForeground(adb, signal))?.app ?? null,
  }
}

/** The state once nothing in its data moves: a message may still be on its way when the planner is done. */
async function readSettledState(adb: Adb, signal: AbortSignal) {
  const first = await readState(adb, signal)
  if (first === null) return null
  const read = async () => JSON.stringify((await readState(adb, signal))?.data)
  await settle(JSON.stringify(first.data), read, { signal, stillMs: deliveryMs })
  return readState(adb, signal)
}

function failureOf(error: unknown, loss: Loss | null): ToolResult {
  if (loss) return { ok: false, ...loss, data: null }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof TaplineError) {
    if (error.code === 'conflict')
      return { ok: false, code: leaseLost, message: 'The device is not ours any more.', data: null }
    if (error.code === 'unavailable') return { ok: false, code: deviceGone, message, data: null }
  }
  return { ok: false, code: 'failed', message, data: null }
}
