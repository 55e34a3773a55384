import type { CheckEvidence, EnvironmentSession, TaskInstance } from '@/server/environment/contract'
import { deviceTools } from '@/server/environment/tools/device-tools'
import { type DeviceHands, isDeviceTool, runDeviceTool } from '@/server/environment/tools/run-device-tool'
import type { PhoneMachine } from '@/server/phone/contract'
import { toExposedTool } from '@/server/tool/model/function-schema'
import { diffState } from '@/server/tool/model/diff-state'

/** A session on a phone in this process, without adb and without pixels: time passes only where something waits for it. */
export function openPhoneSession(
  machine: PhoneMachine,
  task: TaskInstance,
  options: { isNew: boolean; initialData?: unknown },
): EnvironmentSession {
  if (options.isNew) {
    machine.reset(task.seed)
    const snapshot = JSON.parse(machine.snapshot()) as { state: { data: unknown } }
    const data = task.setUp(snapshot.state.data)
    machine.restore(JSON.stringify({ ...snapshot, state: { ...snapshot.state, data } }))
  }
  const initialData = options.isNew ? machine.state().data : options.initialData
  const hands = handsOf(machine)
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 50) machine.dispatch({ type: 'tick', ms: 50 })
  }
  return {
    initialData,
    tools: () =>
      [...machine.tools().filter(({ name }) => task.tools.includes(name)), ...deviceTools].map(toExposedTool),
    async call(call, signal) {
      signal.throwIfAborted()
      if (!isDeviceTool(call.tool)) {
        const result = machine.callTool(call.tool, call.arguments)
        pass(200)
        return { result, touches: [], durationMs: 1 }
      }
      const before = machine.state().data
      const { result, touches } = await runDeviceTool(hands, call.tool, call.arguments)
      pass(500)
      return { result: { ...result, delta: diffState(before, machine.state().data) }, touches, durationMs: 1 }
    },
    async observe(signal) {
      signal.throwIfAborted()
      const { packageName, activity } = machine.foreground()
      return {
        screen: null,
        tree: machine.hierarchyXml(),
        app: packageName,
        activity,
        width: machine.width,
        height: machine.height,
        rotation: 0,
        stateHash: machine.hashes().stateHash,
        phoneAt: machine.now(),
        frameNumber: null,
      }
    },
    async verify(evidence: CheckEvidence) {
      pass(1_000)
      return task.check(initialData, machine.state().data, evidence)
    },
    close: async () => undefined,
  }
}

function handsOf(machine: PhoneMachine): DeviceHands {
  const pointer = (action: 'down' | 'move' | 'up', { x, y }: { x: number; y: number }) =>
    machine.dispatch({ type: 'pointer', action, pointerId: 0, x, y })
  return {
    width: machine.width,
    height: machine.height,
    async tap(at) {
      pointer('down', at)
      machine.dispatch({ type: 'tick', ms: 50 })
      pointer('up', at)
    },
    async swipe(from, to) {
      pointer('down', from)
      for (let step = 1; step <= 10; step++) {
        machine.dispatch({ type: 'tick', ms: 16 })
        pointer('move', { x: from.x + ((to.x - from.x) * step) / 10, y: from.y + ((to.y - from.y) * step) / 10 })
      }
      pointer('up', to)
    },
    async key(keycode) {
      machine.dispatch({ type: 'key', action: 'down', keycode, metaState: 0 })
      machine.dispatch({ type: 'key', action: 'up', keycode, metaState: 0 })
    },
    async text(text) {
      machine.dispatch({ type: 'text', text })
    },
    async openApp(packageName) {
      const isKnown = machine.packages().some((app) => app.packageName === packageName)
      if (isKnown) machine.dispatch({ type: 'start-app', component: packageName })
      return { isKnown }
    },
    readTree: async () => machine.hierarchyXml(),
    foregroundApp: async () => machine.foreground().packageName,
  }
}
