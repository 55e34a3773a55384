import type { AppFields, PhoneApp } from '@/server/phone/apps/app-definition'
import { contactOf, withUi } from '@/server/phone/state/phone-state'
import type { PhoneState } from '@/server/phone/state/phone-state'
import {
  focusField,
  foregroundActivity,
  goBack,
  leaveField,
  openActivity,
  updateActivity,
} from '@/server/phone/system/back-stack'
import { showToast } from '@/server/phone/system/toast'
import type { UiAction } from '@/server/phone/ui/contract'
import { conversationView } from './conversation-view'
import * as names from './message-actions'
import { completeSending, isSending, markRead, retryMessage, saveDraft, sendMessage } from './message-store'
import type { Delivery } from './message-store'
import { messageTools } from './message-tools'
import { newMessageView } from './new-message-view'
import { threadListView } from './thread-list-view'

/** Messages: conversations, drafts, sending and sending again. */
export const messagesApp: PhoneApp = {
  packageName: names.messagesPackage,
  activity: names.mainActivity,
  activities: [names.mainActivity, names.conversationActivity, names.newMessageActivity],
  label: 'Messages',
  icon: { icon: 'message', colour: '#ffffff', background: ['#3b7bff', '#1d4fd8'] },
  view(state, window) {
    const contact = contactOf(state.data, window.activity.params.contactId)
    if (window.activity.name === names.conversationActivity && contact !== null) {
      return conversationView(state, window, contact)
    }
    if (window.activity.name === names.newMessageActivity) return newMessageView(state, window)
    return threadListView(state, window)
  },
  reduceAction,
  fields: messageFields(),
  advance(state) {
    const data = completeSending(state.data, state.clock.now)
    return data === state.data ? state : { ...state, data }
  },
  isBusy: (state) => isSending(state.data),
  tools: messageTools,
}

function reduceAction(state: PhoneState, action: UiAction): PhoneState {
  const target = typeof action.target === 'string' ? action.target : ''
  switch (action.type) {
    case 'back':
      return goBack(leaveField(state))
    case 'open-conversation':
      return openConversation(state, target, false)
    case 'pick-contact':
      return openConversation(state, target, true)
    case 'open-new-message': {
      const fields = { ...state.ui.fields, [names.recipientField]: '' }
      const scroll = { ...state.ui.scroll, [names.recipientScroll]: 0 }
      const opened = openActivity(state, { name: names.newMessageActivity, params: {} })
      return focusField(withUi(opened, { fields, scroll }), names.messagesPackage, names.recipientField, 0)
    }
    case 'send':
      return sendDraft(state, target)
    case 'retry': {
      const delivery = retryMessage(state.data, target, state.clock.now)
      return delivery === null ? state : afterDelivery(state, delivery)
    }
    case 'toggle-details': {
      const { details, ...params } = foregroundActivity(state)?.params ?? {}
      return updateActivity(state, details === target ? params : { ...params, details: target })
    }
    case 'clear-field': {
      const fields = { ...state.ui.fields, [target]: '' }
      const isFocused = state.ui.focus?.field === target
      return withUi(state, {
        fields,
        ...(isFocused && state.ui.focus ? { focus: { ...state.ui.focus, caret: 0 } } : {}),
      })
    }
    default:
      return state
  }
}

function openConversation(state: PhoneState, contactId: string, isNew: boolean): PhoneState {
  if (contactOf(state.data, contactId) === null) return state
  const opened = openActivity(state, { name: names.conversationActivity, params: { contactId } }, isNew)
  const read = { ...scrollToEnd(opened, contactId), data: markRead(state.data, contactId) }
  if (!isNew) return read
  const caret = (read.data.messages.drafts[contactId] ?? '').length
  return focusField(read, names.messagesPackage, names.draftField(contactId), caret)
}

function sendDraft(state: PhoneState, contactId: string): PhoneState {
  const draft = state.data.messages.drafts[contactId] ?? ''
  if (draft.trim() === '' || contactOf(state.data, contactId) === null) return state
  const data = saveDraft(state.data, contactId, '')
  const sent = afterDelivery({ ...state, data }, sendMessage(data, contactId, draft, state.clock.now))
  const { focus } = sent.ui
  const isFocused = focus !== null && focus.field === names.draftField(contactId)
  return scrollToEnd(isFocused ? withUi(sent, { focus: { ...focus, caret: 0 } }) : sent, contactId)
}

function afterDelivery(state: PhoneState, delivery: Delivery): PhoneState {
  const after = { ...state, data: delivery.data }
  return delivery.failure === null ? after : showToast(after, delivery.failure.message)
}

function scrollToEnd(state: PhoneState, contactId: string): PhoneState {
  return withUi(state, { scroll: { ...state.ui.scroll, [names.conversationScroll(contactId)]: 0 } })
}

function messageFields(): AppFields {
  return {
    read(state, field) {
      const contactId = names.draftContact(field)
      return contactId === null ? (state.ui.fields[field] ?? '') : (state.data.messages.drafts[contactId] ?? '')
    },
    write(state, field, text) {
      const contactId = names.draftContact(field)
      if (contactId !== null) return { ...state, data: saveDraft(state.data, contactId, text) }
      const scrollId = field === names.recipientField ? names.recipientScroll : names.threadListScroll
      return withUi(state, {
        fields: { ...state.ui.fields, [field]: text.replaceAll('\n', ' ') },
        scroll: { ...state.ui.scroll, [scrollId]: 0 },
      })
    },
    submit(state, field) {
      const contactId = names.draftContact(field)
      return contactId === null ? leaveField(state) : sendDraft(state, contactId)
    },
    enterIcon: (field) => (names.draftContact(field) === null ? 'search' : 'send'),
  }
}
