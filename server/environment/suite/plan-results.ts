import { z } from 'zod'
import type { PlanStep } from '@/server/environment/contract'
import type { ToolResult } from '@/server/tool/contract'

/** A part of a gold plan that gives a value back. */
export type Plan<Value> = Generator<PlanStep, Value, ToolResult[]>

/** Decides one call and gives its result. */
export function* decide(reasoning: string, tool: string, input: Record<string, unknown> = {}): Plan<ToolResult> {
  const [result] = yield { reasoning, calls: [{ tool, arguments: input }] }
  if (!result) throw new TypeError(`The call of ${tool} got no result`)
  return result
}

/** Decides a call that only reads. When its answer was lost it asks again: that can do no harm. */
export function* look(reasoning: string, tool: string, input: Record<string, unknown> = {}): Plan<ToolResult> {
  let result = yield* decide(reasoning, tool, input)
  for (let attempt = 0; attempt < 3 && lostCodes.has(result.code); attempt++) {
    result = yield* decide(
      `${result.message} That call only reads, so asking again changes nothing; I do it to see how things are now.`,
      tool,
      input,
    )
  }
  return result
}

/** The call was broken off: whether it did anything is not known, or it did nothing. */
const lostCodes = new Set(['unknown-outcome', 'lease-lost'])

/** Ends the episode with what the planner says of it. */
export function* conclude(reasoning: string, claim: string): Plan<void> {
  yield { reasoning, calls: [{ tool: 'finish', arguments: { claim } }] }
}

export function* ask(reasoning: string, question: string, options: string[]): Plan<string> {
  const result = yield* decide(reasoning, 'ask_user', { question, options })
  return z.object({ answer: z.string() }).safeParse(result.data).data?.answer ?? ''
}

const shownMessage = z.object({
  messageId: z.string(),
  from: z.enum(['me', 'them']),
  text: z.string(),
  status: z.string(),
})

export const contactsData = z.object({
  contacts: z.array(z.object({ contactId: z.string(), name: z.string(), note: z.string().optional() })),
})
export type FoundContact = z.infer<typeof contactsData>['contacts'][number]
export const threadData = z.object({
  threadId: z.string(),
  contactName: z.string(),
  draft: z.string().nullable(),
  messages: z.array(shownMessage),
})
export type Thread = z.infer<typeof threadData>
export const foundMessagesData = z.object({
  messages: z.array(shownMessage.extend({ contactId: z.string(), contactName: z.string() })),
})
export const screenData = z.object({
  app: z.string().nullable(),
  elements: z.array(z.object({ id: z.string().optional(), text: z.string().optional(), isFocused: z.boolean() })),
})

/** The result's data in its shape, or null when the call failed or gave something else. */
export function dataOf<Schema extends z.ZodType>(result: ToolResult, schema: Schema): z.output<Schema> | null {
  return result.ok ? (schema.safeParse(result.data).data ?? null) : null
}

/** A message in short, for reasoning that quotes it. */
export function quote(text: string): string {
  const short = [...text].slice(0, 60).join('')
  return short === text ? `"${text}"` : `"${short}…"`
}
