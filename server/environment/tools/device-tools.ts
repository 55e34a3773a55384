import { z } from 'zod'
import { defineTool } from '@/server/tool/contract'

const pixel = z.number().min(0).max(16_384)
const noOutput = z.object({})

const bounds = z.tuple([z.number(), z.number(), z.number(), z.number()])

export const tapTool = defineTool({
  name: 'tap',
  title: 'Tap',
  description:
    'Taps the screen once: a `target` by its id, text or description from the screen tree, or a point `x`, `y` in device pixels from the top left.',
  input: z
    .strictObject({
      target: z.string().min(1).max(200).optional(),
      x: pixel.optional(),
      y: pixel.optional(),
    })
    .refine(
      ({ target, x, y }) =>
        target === undefined ? x !== undefined && y !== undefined : x === undefined && y === undefined,
      {
        message: 'Give either target, or both x and y',
      },
    ),
  output: z.object({ x: z.number(), y: z.number() }),
  readOnly: false,
  destructive: false,
  idempotent: false,
})

export const swipeTool = defineTool({
  name: 'swipe',
  title: 'Swipe',
  description:
    'Moves a finger from one point to another, in device pixels. To see what is further down, move it up: `toY` smaller than `fromY`.',
  input: z.strictObject({
    fromX: pixel,
    fromY: pixel,
    toX: pixel,
    toY: pixel,
    durationMs: z.number().int().min(50).max(3_000).default(300),
  }),
  output: noOutput,
  readOnly: false,
  destructive: false,
  idempotent: false,
})

export const typeTextTool = defineTool({
  name: 'type_text',
  title: 'Type text',
  description: 'Enters text where the focus is: tap a text field first.',
  input: z.strictObject({ text: z.string().min(1).max(4_000) }),
  output: noOutput,
  readOnly: false,
  destructive: false,
  idempotent: false,
})

/** Android key codes (android.view.KeyEvent). */
export const keyCodes = { back: 4, home: 3, recents: 187, enter: 66, delete: 67 } as const

export const pressKeyTool = defineTool({
  name: 'press_key',
  title: 'Press a key',
  description: 'Presses a key of the device.',
  input: z.strictObject({ key: z.enum(['back', 'home', 'recents', 'enter', 'delete']) }),
  output: noOutput,
  readOnly: false,
  destructive: false,
  idempotent: false,
})

export const openAppTool = defineTool({
  name: 'open_app',
  title: 'Open an app',
  description: 'Brings an app to the front, named by its Android package, e.g. `com.tapline.messages`.',
  input: z.strictObject({
    app: z
      .string()
      .max(200)
      .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, 'expected a package name'),
  }),
  output: noOutput,
  readOnly: false,
  destructive: false,
  idempotent: true,
})

export const readScreenTool = defineTool({
  name: 'read_screen',
  title: 'Read the screen',
  description:
    'Lists what is on the screen, from the tree that accessibility sees: ids, texts, descriptions, and bounds as [left, top, right, bottom] in device pixels.',
  input: z.strictObject({}),
  output: z.object({
    app: z.string().nullable(),
    elements: z.array(
      z.object({
        id: z.string().optional(),
        text: z.string().optional(),
        description: z.string().optional(),
        isClickable: z.boolean(),
        isFocused: z.boolean(),
        bounds,
      }),
    ),
    isCut: z.boolean(),
  }),
  readOnly: true,
  destructive: false,
  idempotent: true,
})

/** What every device offers, apps or not. */
export const deviceTools = [tapTool, swipeTool, typeTextTool, pressKeyTool, openAppTool, readScreenTool] as const
