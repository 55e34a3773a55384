import type { AppWindow } from '@/server/phone/apps/app-definition'
import { formatListTime } from '@/server/phone/state/local-time'
import type { PhoneState } from '@/server/phone/state/phone-state'
import { colours } from '@/server/phone/system/theme'
import { avatar, emptyState, isPressed, label, searchField } from '@/server/phone/system/widgets'
import type { Colour, Widget } from '@/server/phone/ui/contract'
import { messageAction, threadListScroll, threadSearchField } from './message-actions'
import { filterConversations } from './message-search'
import type { Conversation } from './message-search'

/** All conversations, with search and the button for a new message. */
export function threadListView(state: PhoneState, window: AppWindow): Widget {
  const query = state.ui.fields[threadSearchField] ?? ''
  const rows = filterConversations(state.data, query).map((conversation) => threadRow(state, conversation))
  const empty =
    query === ''
      ? emptyState('message', 'No messages yet', 'Start a conversation with New message.')
      : emptyState('search', 'Nothing found', 'No person and no message matches your search.')
  const caret = window.focus?.field === threadSearchField ? window.focus.caret : null
  return {
    kind: 'box',
    style: { width: '100%', height: '100%', direction: 'column', background: colours.surface },
    children: [
      {
        kind: 'box',
        key: 'header',
        style: { direction: 'column', shrink: 0, padding: [14, 24, 16, 24], gap: 18 },
        children: [
          label('Messages', { size: 40, lineHeight: 50, weight: 600, letterSpacing: -0.8 }),
          searchField(
            { name: threadSearchField, text: query, caret, hint: 'Search people and messages' },
            messageAction('clear-field', threadSearchField),
          ),
        ],
      },
      {
        kind: 'scroll',
        scrollId: threadListScroll,
        id: 'thread_list',
        className: 'androidx.recyclerview.widget.RecyclerView',
        style: { grow: 1, shrink: 1, minHeight: 0, direction: 'column', padding: [0, 0, 112, 0] },
        children: rows.length === 0 ? [empty] : rows,
      },
      newMessageButton(state),
    ],
  }
}

function threadRow(state: PhoneState, { contact, thread, last, draft }: Conversation): Widget {
  const onTap = messageAction('open-conversation', contact.id)
  const isUnread = (thread?.unread ?? 0) > 0
  const preview = previewOf(last, draft)
  return {
    kind: 'box',
    key: contact.id,
    id: `thread_${contact.id}`,
    onTap,
    style: {
      direction: 'row',
      align: 'center',
      height: 104,
      shrink: 0,
      gap: 20,
      padding: [0, 24],
      ...(isPressed(state.ui.pointer?.action ?? null, onTap) ? { background: colours.quiet } : {}),
    },
    children: [
      avatar(contact.id, contact.name, 64),
      {
        kind: 'box',
        style: { direction: 'column', grow: 1, shrink: 1, minWidth: 0, gap: 4 },
        children: [
          {
            kind: 'box',
            style: { direction: 'row', align: 'center', gap: 12 },
            children: [
              label(
                contact.name,
                { size: 25, lineHeight: 34, weight: 600, maxLines: 1 },
                { style: { grow: 1, shrink: 1, minWidth: 0 } },
              ),
              label(
                last === null ? '' : formatListTime(last.at, state.clock.now),
                {
                  size: 19,
                  lineHeight: 28,
                  colour: isUnread ? colours.accent : colours.secondary,
                  weight: isUnread ? 600 : 400,
                },
                { style: { shrink: 0 } },
              ),
            ],
          },
          {
            kind: 'box',
            style: { direction: 'row', align: 'center', gap: 12 },
            children: [
              label(
                preview.text,
                {
                  size: 22,
                  lineHeight: 31,
                  maxLines: 1,
                  colour: preview.colour ?? (isUnread ? colours.text : colours.secondary),
                  weight: isUnread ? 500 : 400,
                },
                { style: { grow: 1, shrink: 1, minWidth: 0 } },
              ),
              ...(isUnread ? [unreadDot(thread?.unread ?? 0)] : []),
            ],
          },
        ],
      },
    ],
  }
}

function previewOf(last: Conversation['last'], draft: string | null): { text: string; colour?: Colour } {
  if (draft !== null) return { text: `Draft: ${oneLine(draft)}`, colour: colours.accent }
  if (last === null) return { text: '' }
  if (last.status === 'failed') return { text: `Not sent: ${oneLine(last.text)}`, colour: colours.failure }
  return { text: last.from === 'me' ? `You: ${oneLine(last.text)}` : oneLine(last.text) }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function unreadDot(count: number): Widget {
  return {
    kind: 'box',
    description: `${count} unread`,
    style: { width: 16, height: 16, radius: 8, background: colours.accent, shrink: 0 },
  }
}

function newMessageButton(state: PhoneState): Widget {
  const onTap = messageAction('open-new-message')
  const pressed = isPressed(state.ui.pointer?.action ?? null, onTap)
  return {
    kind: 'box',
    key: 'new-message',
    id: 'new_message',
    className: 'android.widget.Button',
    description: 'New message',
    onTap,
    style: {
      absolute: { right: 24, bottom: 24 },
      direction: 'row',
      align: 'center',
      height: 76,
      gap: 12,
      padding: [0, 32, 0, 24],
      radius: 38,
      background: pressed ? colours.accentPressed : colours.accent,
      shadow: 'high',
    },
    children: [
      { kind: 'icon', icon: 'plus', size: 30, colour: colours.onAccent },
      label('New message', { size: 23, lineHeight: 32, weight: 600, colour: colours.onAccent }),
    ],
  }
}
