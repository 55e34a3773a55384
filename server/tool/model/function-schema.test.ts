import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, exposedTool } from '@/server/tool/contract'
import { toExposedTool, toInputSchema } from './function-schema'
import { toMcpTool } from './mcp-tool'

const tool = defineTool({
  name: 'notes.save',
  title: 'Save a note',
  description: 'Keeps a note.',
  input: z.strictObject({ text: z.string().min(1).describe('The note'), tags: z.array(z.string()).default([]) }),
  output: z.object({ noteId: z.string() }),
  readOnly: false,
  destructive: false,
  idempotent: true,
})

describe('a tool derived from its definition', () => {
  test('its input becomes JSON Schema, with what may be left out left optional', () => {
    expect(toInputSchema(tool)).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, description: 'The note' },
        tags: { type: 'array', items: { type: 'string' }, default: [] },
      },
      required: ['text'],
      additionalProperties: false,
    })
  })

  test('an input that is not an object is refused by name', () => {
    expect(() => toInputSchema({ ...tool, input: z.string() })).toThrow('notes.save')
  })

  test('a planner sees exactly what the contract exposes', () => {
    expect(exposedTool.strict().parse(toExposedTool(tool))).toEqual(toExposedTool(tool))
  })

  test('the MCP tool carries the hints and the envelope', () => {
    const listed = toMcpTool(tool)
    expect(listed.annotations).toEqual({
      title: 'Save a note',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
    expect(listed.outputSchema.required).toEqual(expect.arrayContaining(['ok', 'code', 'message']))
    expect(JSON.stringify(listed.outputSchema)).toContain('noteId')
  })
})
