import type { z } from 'zod'
import type { ExecutedTouch } from '@/server/environment/contract'
import { centreOf, findNodes, parseUiTree, type UiNode } from '@/server/environment/model/ui-tree'
import type { ToolDefinition, ToolResult } from '@/server/tool/contract'
import { toDevicePixel } from '@/server/trajectory/model/coordinates'
import type { Point } from '@/server/trajectory/contract'
import {
  deviceTools,
  keyCodes,
  openAppTool,
  pressKeyTool,
  readScreenTool,
  swipeTool,
  tapTool,
  typeTextTool,
} from './device-tools'

/** What the device tools need of a device; coordinates in device pixels. */
export type DeviceHands = {
  width: number
  height: number
  tap(at: { x: number; y: number }): Promise<void>
  swipe(from: { x: number; y: number }, to: { x: number; y: number }, durationMs: number): Promise<void>
  key(keycode: number): Promise<void>
  text(text: string): Promise<void>
  /** Starts the launcher activity. */
  openApp(packageName: string): Promise<{ isKnown: boolean }>
  /** uiautomator XML. */
  readTree(): Promise<string>
  foregroundApp(): Promise<string | null>
}

export type DeviceToolOutcome = { result: ToolResult; touches: ExecutedTouch[]; touchedDevice: boolean }

const mostElements = 150

export function isDeviceTool(name: string): boolean {
  return deviceTools.some((tool) => tool.name === name)
}

/** Runs one of `deviceTools`. Throws what the hands throw; wrong arguments come back in the envelope. */
export async function runDeviceTool(hands: DeviceHands, name: string, input: unknown): Promise<DeviceToolOutcome> {
  switch (name) {
    case tapTool.name:
      return withInput(tapTool, input, (parsed) => tap(hands, parsed))
    case swipeTool.name:
      return withInput(swipeTool, input, (parsed) => swipe(hands, parsed))
    case typeTextTool.name:
      return withInput(typeTextTool, input, async ({ text }) => {
        await hands.text(text)
        return acted(`Typed ${[...text].length} characters.`)
      })
    case pressKeyTool.name:
      return withInput(pressKeyTool, input, async ({ key }) => {
        await hands.key(keyCodes[key])
        return acted(`Pressed ${key}.`)
      })
    case openAppTool.name:
      return withInput(openAppTool, input, async ({ app }) => {
        const { isKnown } = await hands.openApp(app)
        return isKnown ? acted(`Opened ${app}.`) : refused('not-found', `The device has no app ${app}.`)
      })
    case readScreenTool.name:
      return withInput(readScreenTool, input, () => readScreen(hands))
    default:
      return refused('unknown-tool', `There is no tool ${name}.`)
  }
}

async function withInput<Input extends z.ZodType>(
  tool: ToolDefinition<Input, z.ZodType>,
  input: unknown,
  run: (input: z.output<Input>) => Promise<DeviceToolOutcome>,
): Promise<DeviceToolOutcome> {
  const parsed = tool.input.safeParse(input)
  if (parsed.success) return run(parsed.data)
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`)
  return refused('bad-arguments', `${tool.name}: ${issues.join('; ')}.`)
}

async function tap(hands: DeviceHands, input: z.output<typeof tapTool.input>): Promise<DeviceToolOutcome> {
  let at = { x: input.x ?? 0, y: input.y ?? 0 }
  if (input.target !== undefined) {
    const { nodes } = parseUiTree(await hands.readTree())
    const found = findNodes(nodes, input.target)
    const [node] = found
    if (!node) return refused('not-found', `Nothing on the screen is called "${input.target}".`)
    if (found.length > 1) {
      const shown = found.slice(0, 8).map((one) => element(one))
      return refused('ambiguous', `${found.length} things on the screen are called "${input.target}".`, { shown })
    }
    if (!node.isEnabled) return refused('disabled', `"${input.target}" can't be tapped now: it is disabled.`)
    at = centreOf(node)
  } else if (at.x >= hands.width || at.y >= hands.height) {
    return refused('bad-arguments', `The screen is ${hands.width} x ${hands.height}; (${at.x}, ${at.y}) is outside.`)
  }
  const asked = onScreen(hands, at)
  const executed = toDevicePixel(asked, hands)
  await hands.tap(executed)
  return {
    ...acted(`Tapped ${input.target === undefined ? '' : `"${input.target}" `}at (${executed.x}, ${executed.y}).`, {
      x: executed.x,
      y: executed.y,
    }),
    touches: [{ gesture: 'tap', points: [asked], executed: [executed] }],
  }
}

async function swipe(hands: DeviceHands, input: z.output<typeof swipeTool.input>): Promise<DeviceToolOutcome> {
  const points = [onScreen(hands, { x: input.fromX, y: input.fromY }), onScreen(hands, { x: input.toX, y: input.toY })]
  const [from, to] = points.map((point) => toDevicePixel(point, hands))
  if (!from || !to) throw new TypeError('A swipe has two points')
  await hands.swipe(from, to, input.durationMs)
  return {
    ...acted(`Swiped from (${from.x}, ${from.y}) to (${to.x}, ${to.y}).`),
    touches: [{ gesture: 'swipe', points, executed: [from, to] }],
  }
}

async function readScreen(hands: DeviceHands): Promise<DeviceToolOutcome> {
  const { nodes } = parseUiTree(await hands.readTree())
  const told = nodes.filter((node) => node.id || node.text || node.description)
  const data = {
    app: await hands.foregroundApp(),
    elements: told.slice(0, mostElements).map(element),
    isCut: told.length > mostElements,
  }
  return {
    result: { ok: true, code: 'ok', message: `${told.length} elements on the screen.`, data, delta: [] },
    touches: [],
    touchedDevice: false,
  }
}

function element(node: UiNode) {
  const { left, top, right, bottom } = node.bounds
  return {
    ...(node.id ? { id: node.id } : {}),
    ...(node.text ? { text: node.text } : {}),
    ...(node.description ? { description: node.description } : {}),
    isClickable: node.isClickable,
    isFocused: node.isFocused,
    bounds: [left, top, right, bottom],
  }
}

function onScreen(hands: DeviceHands, { x, y }: { x: number; y: number }): Point {
  return { x, y, space: { kind: 'pixels', width: hands.width, height: hands.height } }
}

function acted(message: string, data: unknown = {}): DeviceToolOutcome {
  return { result: { ok: true, code: 'ok', message, data }, touches: [], touchedDevice: true }
}

function refused(code: string, message: string, data: unknown = null): DeviceToolOutcome {
  return { result: { ok: false, code, message, data, delta: [] }, touches: [], touchedDevice: false }
}
