import { z } from 'zod'
import { toolResult } from '@/server/tool/contract'
import type { ToolDefinition } from '@/server/tool/contract'
import { toInputSchema } from './function-schema'

/** A member of the answer to MCP `tools/list` (Model Context Protocol 2025-06-18, "Tool"). */
export type McpTool = {
  name: string
  title: string
  description: string
  inputSchema: Record<string, unknown> & { type: 'object' }
  outputSchema: Record<string, unknown> & { type: 'object' }
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/**
 * The tool as MCP lists it. Its structured output is the result envelope, with the tool's own output as `data`; `data` is
 * free when the call did not succeed, so it is described and not required.
 */
export function toMcpTool(tool: ToolDefinition): McpTool {
  const { $schema: _, ...envelope } = z.toJSONSchema(toolResult, { io: 'output' })
  const { $schema: _dialect, ...data } = z.toJSONSchema(tool.output, { io: 'output' })
  const properties = { ...envelope.properties, data: { anyOf: [data, {}] } }
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...toInputSchema(tool), type: 'object' },
    outputSchema: { ...envelope, type: 'object', properties },
    annotations: {
      title: tool.title,
      readOnlyHint: tool.readOnly,
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
      openWorldHint: false,
    },
  }
}
