import type { ToolResult } from '@/server/tool/contract'
import { diffState } from '@/server/tool/model/diff-state'
import type { PhoneState } from '@/server/phone/state/phone-state'
import { refused } from './app-definition'
import type { PhoneTool, ToolOutcome } from './app-definition'
import { appList } from './app-list'

const tools: ReadonlyMap<string, PhoneTool> = new Map(
  appList.flatMap((app) => app.tools.map((tool) => [tool.definition.name, tool] as const)),
)

/** Every tool of every app. */
export const phoneTools: readonly PhoneTool[] = [...tools.values()]

/** Calls a tool by name. The result tells what of `data` changed; nothing throws. */
export function runTool(state: PhoneState, name: string, input: unknown): { state: PhoneState; result: ToolResult } {
  const outcome = call(state, name, input)
  const delta = diffState(state.data, outcome.state.data)
  return { state: outcome.state, result: { ...outcome.result, delta } }
}

function call(state: PhoneState, name: string, input: unknown): ToolOutcome {
  const tool = tools.get(name)
  if (tool === undefined) {
    return refused(state, 'unknown-tool', `This phone has no tool "${name}". It has: ${[...tools.keys()].join(', ')}.`)
  }
  const fault = tool.handlesFaults
    ? undefined
    : state.data.system.faults.find((one) => one.tool === name && one.remaining > 0)
  if (fault === undefined) return tool.run(state, input)
  const faults = state.data.system.faults.map((one) => (one === fault ? { ...one, remaining: one.remaining - 1 } : one))
  const data = { ...state.data, system: { ...state.data.system, faults } }
  return refused({ ...state, data }, fault.code, fault.message)
}
