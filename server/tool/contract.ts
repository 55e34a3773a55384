import { z } from 'zod'

/**
 * What a tool is: one definition from which the model's function schema, the MCP tool and the documentation are derived.
 * `name` is `<app>.<verb>`, e.g. `messages.send_message`, or a bare verb for the tools every device has.
 */
export type ToolDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = {
  name: string
  title: string
  description: string
  input: Input
  output: Output
  /** Changes nothing. */
  readOnly: boolean
  /** May not be undone: sends, deletes, pays. */
  destructive: boolean
  /** Twice the same call is the same as once. */
  idempotent: boolean
}

/** Keeps a definition's input and output types. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  tool: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
  return tool
}

/** One changed place of the phone's data. `path` is dotted with `[key]` for members of a collection. */
export const stateChange = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), path: z.string(), after: z.unknown() }),
  z.object({ op: z.literal('remove'), path: z.string(), before: z.unknown() }),
  z.object({ op: z.literal('replace'), path: z.string(), before: z.unknown(), after: z.unknown() }),
])
export type StateChange = z.infer<typeof stateChange>

/** What changed; null where the state can't be read (a real phone). */
export const stateDelta = z.array(stateChange).nullable()
export type StateDelta = z.infer<typeof stateDelta>

/**
 * The one envelope of every result. `code` is `ok`, or a kebab-case reason (`not-found`, `ambiguous`, `bad-arguments`,
 * `unknown-tool`, `timeout`, `lease-lost`, …); `message` says what happened in a sentence.
 */
export const toolResult = z.object({
  ok: z.boolean(),
  code: z.string().min(1).max(64),
  message: z.string(),
  data: z.unknown(),
  delta: stateDelta.optional(),
})
export type ToolResult = z.infer<typeof toolResult>

export const toolCall = z.object({
  callId: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
})
export type ToolCall = z.infer<typeof toolCall>

/** What a planner is told of a tool; `inputSchema` is JSON Schema. */
export const exposedTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  readOnly: z.boolean(),
  destructive: z.boolean(),
  idempotent: z.boolean(),
})
export type ExposedTool = z.infer<typeof exposedTool>
