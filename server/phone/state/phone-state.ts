import { z } from 'zod'

/** Latest time a phone's clock can show: the end of the year 9999 in its time zone. */
export const latestTime = 253_402_271_999_000

const time = z.number().int().min(0).max(latestTime)
const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/)

const contact = z.strictObject({
  id: slug,
  name: z.string().min(1).max(200),
  phone: z.string().max(40),
  note: z.string().max(1000).optional(),
})
export type Contact = z.infer<typeof contact>

const message = z.strictObject({
  id: slug,
  from: z.enum(['me', 'them']),
  text: z.string().min(1).max(2000),
  at: time,
  status: z.enum(['sending', 'sent', 'failed', 'received']),
})
export type Message = z.infer<typeof message>

/** One conversation a contact; its id is the contact's. */
const thread = z.strictObject({
  id: slug,
  contactId: slug,
  unread: z.number().int().nonnegative(),
  messages: z.array(message),
})
export type Thread = z.infer<typeof thread>

/** Makes calls of a tool fail, by either door, until `remaining` reaches 0. */
const fault = z.strictObject({
  tool: z.string().min(1),
  code: z.string().min(1).max(64),
  message: z.string().min(1),
  remaining: z.number().int().nonnegative(),
})
export type Fault = z.infer<typeof fault>

/** What the phone knows: what tools read and change, and what checks compare. */
export const phoneData = z
  .strictObject({
    system: z.strictObject({ airplaneMode: z.boolean(), faults: z.array(fault) }),
    contacts: z.array(contact),
    messages: z.strictObject({
      threads: z.array(thread),
      /** Unsent text by thread id; a thread without a draft has no member. */
      drafts: z.record(slug, z.string().min(1).max(2000)),
    }),
  })
  .superRefine((data, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    const contactIds = new Set(data.contacts.map((one) => one.id))
    const threads = data.messages.threads
    const messageIds = threads.flatMap((one) => one.messages.map((sent) => sent.id))
    if (contactIds.size !== data.contacts.length) refuse('two contacts have the same id')
    if (new Set(threads.map((one) => one.id)).size !== threads.length) refuse('two threads have the same id')
    if (new Set(messageIds).size !== messageIds.length) refuse('two messages have the same id')
    for (const one of threads) {
      if (one.id !== one.contactId) refuse(`thread ${one.id} must have the id of its contact, ${one.contactId}`)
      if (!contactIds.has(one.contactId)) refuse(`thread ${one.id} is with an unknown contact`)
    }
    for (const id of Object.keys(data.messages.drafts)) {
      if (!contactIds.has(id)) refuse(`draft ${id} is to an unknown contact`)
    }
  })
export type PhoneData = z.infer<typeof phoneData>

const activity = z.strictObject({
  /** Android's short form, e.g. `.MainActivity`. */
  name: z.string().regex(/^\.[A-Za-z]+$/),
  params: z.record(z.string(), z.string()),
})
export type Activity = z.infer<typeof activity>

/** The activities of one started app, the visible one last. */
const task = z.strictObject({ packageName: z.string(), activities: z.array(activity).min(1) })
export type Task = z.infer<typeof task>

const uiAction = z.looseObject({ app: z.string(), type: z.string() })

const pointer = z.strictObject({
  pointerId: z.number().int(),
  start: z.strictObject({ x: z.number(), y: z.number() }),
  /** What the finger is doing so far. `repeat`: it holds a key; `done`: a long press already acted. */
  gesture: z.enum(['press', 'repeat', 'scroll', 'edge', 'ignored', 'done']),
  heldMs: z.number().int().nonnegative(),
  action: uiAction.nullable(),
  longAction: uiAction.nullable(),
  field: z.strictObject({ packageName: z.string(), name: z.string() }).nullable(),
  /** The container under the finger with its offset when the finger came down. */
  scroll: z.strictObject({ id: z.string(), offset: z.number().min(0) }).nullable(),
  /** Where a scrolling finger was lately, for the glide when it leaves. */
  track: z.array(z.strictObject({ y: z.number(), at: time })),
})
export type Pointer = z.infer<typeof pointer>

const keyboardPages = ['letters', 'symbols', 'more-symbols'] as const

/** Where the phone's screen is: everything a finger changes that no check compares. */
const phoneUi = z.strictObject({
  /** Started apps, the last used one last. */
  tasks: z.array(task),
  /** Package of the app on screen; null on the home screen. */
  foreground: z.string().nullable(),
  /** The focused text field; `caret` in UTF-16 units. */
  focus: z
    .strictObject({ packageName: z.string(), field: z.string(), caret: z.number().int().nonnegative() })
    .nullable(),
  keyboard: z.strictObject({
    isOpen: z.boolean(),
    page: z.enum(keyboardPages),
    shift: z.enum(['off', 'once', 'locked']),
  }),
  /** Text of fields that belong to no data, by name. */
  fields: z.record(z.string(), z.string().max(2000)),
  /** By scroll id: pixels from the top, or from the bottom where the container is anchored there. */
  scroll: z.record(z.string(), z.number().min(0)),
  pointer: pointer.nullable(),
  /** A container that glides on after a finger left it; `velocity` in offset pixels per ms. */
  fling: z.strictObject({ scrollId: z.string(), position: z.number(), velocity: z.number() }).nullable(),
  toasts: z.array(z.strictObject({ text: z.string(), expiresAt: time })),
})

/** The whole state of a virtual phone. It is JSON and is never mutated. */
export const phoneState = z.strictObject({
  data: phoneData,
  ui: phoneUi,
  clock: z.strictObject({ now: time, ticks: z.number().int().nonnegative() }),
})
export type PhoneState = z.infer<typeof phoneState>
export type PhoneUi = PhoneState['ui']

/** The state with some of `ui` replaced. */
export function withUi(state: PhoneState, ui: Partial<PhoneUi>): PhoneState {
  return { ...state, ui: { ...state.ui, ...ui } }
}

/** The contact of an id; null when there is none. */
export function contactOf(data: PhoneData, contactId: string | undefined): Contact | null {
  return data.contacts.find((one) => one.id === contactId) ?? null
}
