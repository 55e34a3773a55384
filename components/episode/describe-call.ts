import {
  AppWindow,
  ChevronsUpDown,
  CircleHelp,
  Flag,
  Keyboard,
  type LucideIcon,
  MessageSquare,
  Pointer,
  ScanText,
  Type,
  Wrench,
} from 'lucide-react'
import type { StepCall } from '@/server/trajectory/contract'

const icons: Record<string, LucideIcon> = {
  tap: Pointer,
  swipe: ChevronsUpDown,
  type_text: Type,
  press_key: Keyboard,
  open_app: AppWindow,
  read_screen: ScanText,
  ask_user: CircleHelp,
  finish: Flag,
}

/** The picture of a call: by tool, else by app. */
export function iconOfTool(tool: string): LucideIcon {
  return icons[tool] ?? (tool.startsWith('messages.') ? MessageSquare : Wrench)
}

/** The one argument that says most, as plain text; empty when there is none. */
export function mainArgument(call: Pick<StepCall, 'tool' | 'arguments'>): string {
  const named = ['question', 'claim', 'text', 'query', 'target', 'app', 'key', 'threadId', 'contactId', 'messageId']
  for (const name of named) {
    const value = call.arguments[name]
    if (typeof value === 'string' && value !== '') return value
  }
  const { x, y } = call.arguments
  if (typeof x === 'number' && typeof y === 'number') return `${x}, ${y}`
  return ''
}
