import type { z } from 'zod'
import type { ToolDefinition, ToolResult } from '@/server/tool/contract'
import type { Activity, PhoneState } from '@/server/phone/state/phone-state'
import type { Colour, IconName, UiAction, Widget } from '@/server/phone/ui/contract'

/** What an app is told of the window it draws; lengths in device pixels. */
export type AppWindow = {
  activity: Activity
  width: number
  height: number
  /** The focused field of this app and its caret. */
  focus: { field: string; caret: number } | null
}

/** How the fields of an app keep their text. Names start with `<package>:`. */
export type AppFields = {
  read(state: PhoneState, field: string): string
  write(state: PhoneState, field: string, text: string): PhoneState
  /** Enter was pressed in it. */
  submit(state: PhoneState, field: string): PhoneState
  /** What the keyboard shows on its enter key. */
  enterIcon(field: string): IconName
}

/**
 * An app of the phone: plain functions of the state. It sees the clock cut to the minute in `view`, so that an idle screen
 * is drawn once a minute.
 */
export type PhoneApp = {
  packageName: string
  /** The launcher activity. */
  activity: '.MainActivity'
  /** Every activity it opens. */
  activities: readonly string[]
  label: string
  icon: { icon: IconName; colour: Colour; background: [Colour, Colour] }
  view(state: PhoneState, window: AppWindow): Widget
  /** An action of its own widgets; one that leads nowhere gives the state back. */
  reduceAction(state: PhoneState, action: UiAction): PhoneState
  fields: AppFields
  /** Finishes what the time that passed finishes. */
  advance(state: PhoneState): PhoneState
  /** Waits for time to pass. */
  isBusy(state: PhoneState): boolean
  tools: readonly PhoneTool[]
}

export type ToolOutcome = { state: PhoneState; result: Omit<ToolResult, 'delta'> }

/** A tool with its code, for any input: what is not its input is answered `bad-arguments`. */
export type PhoneTool = {
  definition: ToolDefinition
  /** It lets `system.faults` of its name happen itself, because a failure leaves something behind. */
  handlesFaults: boolean
  run(state: PhoneState, input: unknown): ToolOutcome
}

/** Joins a definition with its code. */
export function phoneTool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
  run: (state: PhoneState, input: z.output<Input>) => ToolOutcome,
  options: { handlesFaults?: boolean } = {},
): PhoneTool {
  return {
    definition,
    handlesFaults: options.handlesFaults ?? false,
    run(state, input) {
      const parsed = definition.input.safeParse(input)
      if (parsed.success) return run(state, parsed.data)
      const issues = parsed.error.issues.map(
        (issue) => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`,
      )
      return refused(state, 'bad-arguments', `${definition.name} refused its arguments. ${issues.join('. ')}.`)
    },
  }
}

/** The tool did what it says. */
export function done(state: PhoneState, message: string, data: unknown): ToolOutcome {
  return { state, result: { ok: true, code: 'ok', message, data } }
}

/** The tool did not; `state` may still have changed. */
export function refused(state: PhoneState, code: string, message: string, data: unknown = null): ToolOutcome {
  return { state, result: { ok: false, code, message, data } }
}
