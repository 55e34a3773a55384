import type { AppWindow } from '@/server/phone/apps/app-definition'
import type { Contact, PhoneState } from '@/server/phone/state/phone-state'
import { colours } from '@/server/phone/system/theme'
import { appBar, avatar, emptyState, iconButton, isPressed, label, searchField } from '@/server/phone/system/widgets'
import type { Widget } from '@/server/phone/ui/contract'
import { messageAction, recipientField, recipientScroll } from './message-actions'
import { searchContacts } from './message-search'

/** The address book, to choose who a new message goes to. */
export function newMessageView(state: PhoneState, window: AppWindow): Widget {
  const query = state.ui.fields[recipientField] ?? ''
  const contacts = query.trim() === '' ? state.data.contacts : searchContacts(state.data, query)
  const caret = window.focus?.field === recipientField ? window.focus.caret : null
  return {
    kind: 'box',
    style: { width: '100%', height: '100%', direction: 'column', background: colours.surface },
    children: [
      appBar([
        iconButton('back', 'Back', messageAction('back'), { id: 'back' }),
        label('New message', { size: 27, lineHeight: 36, weight: 600 }),
      ]),
      {
        kind: 'box',
        key: 'recipient',
        style: { direction: 'column', shrink: 0, padding: [16, 24, 12, 24] },
        children: [
          searchField(
            { name: recipientField, text: query, caret, hint: 'Name or phone number' },
            messageAction('clear-field', recipientField),
          ),
        ],
      },
      {
        kind: 'scroll',
        scrollId: recipientScroll,
        id: 'contact_list',
        className: 'androidx.recyclerview.widget.RecyclerView',
        style: { grow: 1, shrink: 1, minHeight: 0, direction: 'column', padding: [0, 0, 16, 0] },
        children:
          contacts.length === 0
            ? [emptyState('person', 'Nobody found', 'No contact has this name or number.')]
            : contacts.map((contact) => contactRow(state, contact)),
      },
    ],
  }
}

function contactRow(state: PhoneState, contact: Contact): Widget {
  const onTap = messageAction('pick-contact', contact.id)
  return {
    kind: 'box',
    key: contact.id,
    id: `contact_${contact.id}`,
    onTap,
    style: {
      direction: 'row',
      align: 'center',
      height: 92,
      shrink: 0,
      gap: 20,
      padding: [0, 24],
      ...(isPressed(state.ui.pointer?.action ?? null, onTap) ? { background: colours.quiet } : {}),
    },
    children: [
      avatar(contact.id, contact.name, 56),
      {
        kind: 'box',
        style: { direction: 'column', grow: 1, shrink: 1, minWidth: 0, gap: 2 },
        children: [
          label(contact.name, { size: 24, lineHeight: 33, weight: 500, maxLines: 1 }),
          label(contact.note === undefined ? contact.phone : `${contact.phone} · ${contact.note}`, {
            size: 20,
            lineHeight: 28,
            colour: colours.secondary,
            maxLines: 1,
          }),
        ],
      },
    ],
  }
}
