import type { UiAction } from '@/server/phone/ui/contract'

export const messagesPackage = 'com.tapline.messages'

export const mainActivity = '.MainActivity'
export const conversationActivity = '.ConversationActivity'
export const newMessageActivity = '.NewMessageActivity'

/** Names of the app's text fields and scroll containers. */
export const threadSearchField = `${messagesPackage}:search`
export const recipientField = `${messagesPackage}:recipient`
const draftPrefix = `${messagesPackage}:draft:`

export const threadListScroll = `${messagesPackage}:threads`
export const recipientScroll = `${messagesPackage}:recipients`

export function draftField(contactId: string): string {
  return `${draftPrefix}${contactId}`
}

/** The contact whose draft the field holds; null for the other fields. */
export function draftContact(field: string): string | null {
  return field.startsWith(draftPrefix) ? field.slice(draftPrefix.length) : null
}

export function conversationScroll(contactId: string): string {
  return `${messagesPackage}:conversation:${contactId}`
}

export type MessageActionType =
  | 'back'
  | 'open-conversation'
  | 'open-new-message'
  | 'pick-contact'
  | 'send'
  | 'retry'
  | 'toggle-details'
  | 'clear-field'

/** An action of the app; `target` is the id of a contact or message, or the name of a field. */
export function messageAction(type: MessageActionType, target?: string): UiAction {
  return { app: messagesPackage, type, ...(target === undefined ? {} : { target }) }
}
