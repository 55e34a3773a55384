import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ServiceStream } from '@/server/phone/adbd/service-stream'
import type { PhoneMachine } from '@/server/phone/contract'
import { toMcpTool } from '@/server/tool/model/mcp-tool'
import { LineTransport } from './line-transport'

/** Name of the abstract socket a host finds the phone's tools at. */
export const toolsSocketName = 'tapline_tools'

/**
 * The phone's tools over MCP on one adb stream. A call answers with the result envelope as `structuredContent` and its
 * message as text; unknown tools and bad arguments come back in the envelope too, never as a protocol error.
 */
export async function serveTools(stream: ServiceStream, machine: PhoneMachine): Promise<void> {
  const server = new Server({ name: 'tapline-phone', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: machine.tools().map(toMcpTool) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const result = machine.callTool(params.name, params.arguments ?? {})
    return {
      content: [{ type: 'text' as const, text: result.message }],
      structuredContent: result,
      isError: !result.ok,
    }
  })
  const transport = new LineTransport(stream)
  await server.connect(transport)
  await transport.finished
  await server.close()
}
