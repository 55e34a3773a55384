import { createPhoneMachine } from '@/server/phone/machine'
import { phoneState } from '@/server/phone/state/phone-state'
import type { Message, PhoneState } from '@/server/phone/state/phone-state'
import { createFinger } from './finger'

/** A fresh phone with a finger; `state` is checked against the schema whenever it is looked at. */
export function openPhone(seed = 7) {
  const machine = createPhoneMachine({ seed })
  const finger = createFinger(machine)
  return { machine, finger, state: () => phoneState.parse(machine.state()) }
}

/** A phone that shows the conversation with a contact. */
export function openConversation(contactId: string) {
  const opened = openPhone()
  opened.machine.dispatch({ type: 'start-app', component: 'com.tapline.messages' })
  opened.finger.tap(`thread_${contactId}`)
  return opened
}

/** The last message of the conversation with a contact. */
export function lastMessage(state: PhoneState, contactId: string): Message | undefined {
  return state.data.messages.threads.find((thread) => thread.contactId === contactId)?.messages.at(-1)
}
