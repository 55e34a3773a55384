import { z } from 'zod'
import { defineTool } from '@/server/tool/contract'
import { askUser, finish } from './contract'

export const askUserTool = defineTool({
  name: askUser,
  title: 'Ask the user',
  description:
    'Asks the user a question and waits for the answer. Use it when the request can be read in several ways and a guess could do harm.',
  input: z.strictObject({
    question: z.string().min(1).max(1_000),
    options: z.array(z.string().min(1).max(200)).max(8).default([]),
  }),
  output: z.object({ answer: z.string() }),
  readOnly: true,
  destructive: false,
  idempotent: false,
})

export const finishTool = defineTool({
  name: finish,
  title: 'Finish',
  description: 'Ends the episode and says what was achieved, or what was not. What is claimed is checked.',
  input: z.strictObject({ claim: z.string().min(1).max(4_000) }),
  output: z.object({}),
  readOnly: true,
  destructive: false,
  idempotent: true,
})
