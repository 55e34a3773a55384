import { z } from 'zod'
import type { ExposedTool, ToolDefinition } from '@/server/tool/contract'

/**
 * The JSON Schema (draft 2020-12) of what a tool takes, as models and MCP clients read it. `$schema` is left out: some
 * model servers refuse it. Throws when the input is not an object schema, because a call's arguments are an object.
 */
export function toInputSchema(tool: ToolDefinition): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input' })
  if (schema.type !== 'object') throw new TypeError(`The input of tool ${tool.name} must be a zod object`)
  return schema
}

/** What a planner is told of a tool: everything but the code and the output. */
export function toExposedTool(tool: ToolDefinition): ExposedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toInputSchema(tool),
    readOnly: tool.readOnly,
    destructive: tool.destructive,
    idempotent: tool.idempotent,
  }
}
