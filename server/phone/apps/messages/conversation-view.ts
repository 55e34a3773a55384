import type { AppWindow } from '@/server/phone/apps/app-definition'
import { formatDay, formatTime, localDay } from '@/server/phone/state/local-time'
import type { Contact, Message, PhoneState } from '@/server/phone/state/phone-state'
import { colours } from '@/server/phone/system/theme'
import { appBar, avatar, emptyState, iconButton, isPressed, label } from '@/server/phone/system/widgets'
import type { BoxStyle, Colour, Widget } from '@/server/phone/ui/contract'
import { conversationScroll, draftField, messageAction } from './message-actions'
import { threadOf } from './message-store'

/** Messages of one sender less than this apart stand together. */
const groupMs = 5 * 60_000
const bubbleRadius = 28
const joinedRadius = 8

/** One conversation with its composer. */
export function conversationView(state: PhoneState, window: AppWindow, contact: Contact): Widget {
  const messages = threadOf(state.data, contact.id)?.messages ?? []
  const rows = messages.flatMap((message, index) =>
    messageRows(state, window, message, messages[index - 1], messages[index + 1]),
  )
  return {
    kind: 'box',
    style: { width: '100%', height: '100%', direction: 'column', background: colours.surface },
    children: [
      appBar([
        iconButton('back', 'Back', messageAction('back'), { id: 'back' }),
        avatar(contact.id, contact.name, 54),
        label(
          contact.name,
          { size: 26, lineHeight: 36, weight: 600, maxLines: 1 },
          { id: 'title', style: { grow: 1, shrink: 1, minWidth: 0, margin: [0, 12, 0, 4] } },
        ),
      ]),
      {
        kind: 'scroll',
        scrollId: conversationScroll(contact.id),
        anchor: 'bottom',
        id: 'message_list',
        className: 'androidx.recyclerview.widget.RecyclerView',
        style: { grow: 1, shrink: 1, minHeight: 0, direction: 'column', padding: [20, 22, 12, 22] },
        children:
          rows.length === 0
            ? [emptyState('message', contact.name, `Your first message starts the conversation.`)]
            : rows,
      },
      composer(state, window, contact.id),
    ],
  }
}

function messageRows(
  state: PhoneState,
  window: AppWindow,
  message: Message,
  before: Message | undefined,
  after: Message | undefined,
): Widget[] {
  const isFirst = !isTogether(before, message)
  const isLast = !isTogether(message, after)
  const isNewDay = before === undefined || localDay(before.at) !== localDay(message.at)
  const hasDetails = isLast || message.status === 'failed' || window.activity.params.details === message.id
  return [
    ...(isNewDay ? [dayHeading(message, state.clock.now, before === undefined)] : []),
    {
      kind: 'box',
      key: message.id,
      style: {
        direction: 'column',
        shrink: 0,
        align: message.from === 'me' ? 'end' : 'start',
        margin: [isNewDay ? 0 : isFirst ? 16 : 4, 0, 0, 0],
      },
      children: [
        bubble(state, message, isFirst, isLast || hasDetails),
        ...(hasDetails ? [footer(state, message)] : []),
      ],
    },
  ]
}

function isTogether(one: Message | undefined, other: Message | undefined): boolean {
  if (one === undefined || other === undefined || one.from !== other.from) return false
  return one.status !== 'failed' && other.at - one.at < groupMs && localDay(one.at) === localDay(other.at)
}

function dayHeading(message: Message, now: number, isFirst: boolean): Widget {
  return {
    kind: 'box',
    key: `day-${localDay(message.at)}`,
    style: { align: 'center', shrink: 0, margin: [isFirst ? 4 : 28, 0, 16, 0] },
    children: [label(formatDay(message.at, now), { size: 19, lineHeight: 26, weight: 500, colour: colours.secondary })],
  }
}

function bubble(state: PhoneState, message: Message, isFirst: boolean, isLast: boolean): Widget {
  const isMine = message.from === 'me'
  const onTap = messageAction(message.status === 'failed' ? 'retry' : 'toggle-details', message.id)
  const isDown = isPressed(state.ui.pointer?.action ?? null, onTap)
  const top = isFirst ? bubbleRadius : joinedRadius
  const bottom = isLast ? bubbleRadius : joinedRadius
  const background = bubbleColour(message, isDown)
  const style: BoxStyle = {
    maxWidth: '84%',
    padding: [12, 20],
    background,
    radius: isMine ? [bubbleRadius, top, bottom, bubbleRadius] : [top, bubbleRadius, bubbleRadius, bottom],
  }
  const textStyle = {
    size: 24,
    lineHeight: 33,
    colour: isMine && message.status !== 'failed' ? colours.onAccent : colours.text,
  }
  return { kind: 'box', id: `message_${message.id}`, onTap, style, children: [label(message.text, textStyle)] }
}

function bubbleColour(message: Message, isDown: boolean): Colour {
  if (message.status === 'failed') return isDown ? '#f3d3d3' : '#fae6e6'
  if (message.from === 'me') return isDown ? colours.accentPressed : colours.accent
  return isDown ? colours.pressed : colours.quiet
}

function footer(state: PhoneState, message: Message): Widget {
  if (message.status === 'failed') return retryLine(state, message)
  const style: BoxStyle = { direction: 'row', align: 'center', gap: 8, height: 32, padding: [4, 6, 0, 6] }
  const time = label(formatTime(message.at), { size: 18, lineHeight: 25, colour: colours.secondary })
  if (message.from === 'them') return { kind: 'box', style, children: [time] }
  const isSent = message.status === 'sent'
  return {
    kind: 'box',
    style,
    children: [
      time,
      {
        kind: 'icon',
        icon: isSent ? 'check' : 'clock',
        size: 22,
        colour: isSent ? colours.accent : colours.faint,
        description: isSent ? 'Sent' : 'Sending',
      },
    ],
  }
}

function retryLine(state: PhoneState, message: Message): Widget {
  const onTap = messageAction('retry', message.id)
  return {
    kind: 'box',
    id: `retry_${message.id}`,
    className: 'android.widget.Button',
    onTap,
    style: {
      direction: 'row',
      align: 'center',
      gap: 8,
      height: 48,
      padding: [0, 6],
      ...(isPressed(state.ui.pointer?.action ?? null, onTap) ? { opacity: 0.6 } : {}),
    },
    children: [
      { kind: 'icon', icon: 'warning', size: 24, colour: colours.failure },
      label('Not sent. Tap to retry', { size: 20, lineHeight: 28, weight: 500, colour: colours.failure }),
    ],
  }
}

function composer(state: PhoneState, window: AppWindow, contactId: string): Widget {
  const field = draftField(contactId)
  const text = state.data.messages.drafts[contactId] ?? ''
  const canSend = text.trim() !== ''
  const onTap = messageAction('send', contactId)
  const pressed = isPressed(state.ui.pointer?.action ?? null, onTap)
  return {
    kind: 'box',
    key: 'composer',
    style: {
      direction: 'row',
      align: 'end',
      shrink: 0,
      gap: 12,
      padding: [12, 16, 14, 20],
      background: colours.surface,
      hairline: { edge: 'top', colour: colours.hairline },
    },
    children: [
      {
        kind: 'input',
        id: 'compose',
        field,
        focused: window.focus?.field === field,
        text,
        caret: window.focus?.field === field ? window.focus.caret : null,
        hint: 'Text message',
        textStyle: { size: 24, lineHeight: 33, maxLines: 5, colour: colours.text },
        style: {
          grow: 1,
          shrink: 1,
          minWidth: 0,
          minHeight: 64,
          padding: [15, 26],
          radius: 32,
          background: colours.quiet,
        },
      },
      {
        kind: 'box',
        id: 'send',
        className: 'android.widget.Button',
        description: 'Send',
        enabled: canSend,
        ...(canSend ? { onTap } : {}),
        style: {
          width: 64,
          height: 64,
          radius: 32,
          shrink: 0,
          align: 'center',
          justify: 'center',
          background: canSend ? (pressed ? colours.accentPressed : colours.accent) : colours.quiet,
        },
        children: [
          { kind: 'icon', icon: 'send', size: 32, colour: canSend ? colours.onAccent : colours.onAccentQuiet },
        ],
      },
    ],
  }
}
