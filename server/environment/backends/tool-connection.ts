import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolResultSchema,
  JSONRPCMessageSchema,
  ListToolsResultSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import type { Adb, AdbSocket } from '@yume-chan/adb'
import { type ExposedTool, type ToolResult, toolResult } from '@/server/tool/contract'

const socketName = 'localabstract:tapline_tools'
const requestTimeoutMs = 10_000
/** A line is one message; a phone that sends more without a line end is not speaking MCP. */
const longestLine = 8 * 1024 * 1024

/** The app tools of a device, over MCP on an adb socket. */
export type ToolConnection = {
  tools: ExposedTool[]
  call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>
  close(): Promise<void>
}

/** Connects to the app tools; null on a device that has none, which is every real phone without our service. */
export async function connectToTools(adb: Adb, signal: AbortSignal): Promise<ToolConnection | null> {
  let socket: AdbSocket
  try {
    socket = await adb.createSocket(socketName)
  } catch {
    signal.throwIfAborted()
    return null
  }
  const client = new Client({ name: 'tapline', version: '1' })
  try {
    const options = { signal, timeout: requestTimeoutMs }
    await client.connect(socketTransport(socket), options)
    const tools: ExposedTool[] = []
    let cursor: string | undefined
    do {
      const page = await client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ListToolsResultSchema,
        options,
      )
      tools.push(...page.tools.map(toExposed))
      cursor = page.nextCursor
    } while (cursor !== undefined && tools.length < 1_000)
    return {
      tools,
      async call(name, input, callSignal) {
        const answer = await client.request(
          { method: 'tools/call', params: { name, arguments: input } },
          CallToolResultSchema,
          { signal: callSignal, timeout: requestTimeoutMs },
        )
        const envelope = toolResult.safeParse(answer.structuredContent)
        if (envelope.success) return envelope.data
        return {
          ok: false,
          code: 'bad-result',
          message: `${name} answered something that is not a result.`,
          data: null,
        }
      },
      close: () => client.close(),
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

type ListedTool = ReturnType<typeof ListToolsResultSchema.parse>['tools'][number]

function toExposed(tool: ListedTool): ExposedTool {
  return {
    name: tool.name,
    title: tool.title ?? tool.name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    readOnly: tool.annotations?.readOnlyHint ?? false,
    // What a tool doesn't say of itself is assumed at its worst, as MCP does.
    destructive: tool.annotations?.destructiveHint ?? true,
    idempotent: tool.annotations?.idempotentHint ?? false,
  }
}

/** MCP over a stream of lines, one JSON-RPC message each. */
function socketTransport(socket: AdbSocket): Transport {
  const writer = socket.writable.getWriter()
  const encoder = new TextEncoder()
  const transport: Transport = {
    async start() {
      void readLines(socket, (line) => {
        const message = parseMessage(line)
        if (message) transport.onmessage?.(message)
        else transport.onerror?.(new Error('The device sent a line that is not JSON-RPC'))
      })
        .catch((error: unknown) => transport.onerror?.(error instanceof Error ? error : new Error(String(error))))
        .finally(() => transport.onclose?.())
    },
    async send(message) {
      await writer.write(encoder.encode(`${JSON.stringify(message)}\n`))
    },
    async close() {
      await socket.close()
    },
  }
  return transport
}

function parseMessage(line: string): JSONRPCMessage | null {
  try {
    return JSONRPCMessageSchema.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

async function readLines(socket: AdbSocket, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of socket.readable) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new Error('The device sent a line without an end')
    for (const line of lines) if (line.trim() !== '') onLine(line)
  }
}
