/** Android MotionEvent actions, by their number. */
export const touchActions = [
  'down',
  'up',
  'move',
  'cancel',
  'outside',
  'pointer-down',
  'pointer-up',
  'hover-move',
  'scroll',
  'hover-enter',
  'hover-exit',
  'button-press',
  'button-release',
] as const
export type TouchAction = (typeof touchActions)[number]

/** Android KeyEvent actions, by their number. */
export const keyActions = ['down', 'up'] as const
export type KeyAction = (typeof keyActions)[number]

/** What to press before the clipboard is read, by its number. */
export const copyKeys = ['none', 'copy', 'cut'] as const

/** The client never sends more text than this in one message (upstream SC_CONTROL_MSG_INJECT_TEXT_MAX_LENGTH). */
export const injectTextMaxBytes = 300
/** A whole message is at most 256 KiB. */
export const controlMessageMaxBytes = 262_144

/**
 * A point in pixels of the video the sender saw, with that video's size: the server ignores an event whose size is not
 * the current one.
 */
export type Position = { x: number; y: number; screenWidth: number; screenHeight: number }

/** Messages from client to device, scrcpy 3.1 to 3.3 (upstream `ControlMessageReader`). Integers are unsigned but x and y. */
export type ControlMessage =
  | { type: 'inject-keycode'; action: KeyAction; keycode: number; repeat: number; metaState: number }
  | { type: 'inject-text'; text: string }
  /** `pressure` 0 to 1; `actionButton` and `buttons` as in MotionEvent; `pointerId` unsigned 64-bit, -1 (mouse) as 2^64-1. */
  | ({
      type: 'inject-touch'
      action: TouchAction
      pointerId: bigint
      pressure: number
      actionButton: number
      buttons: number
    } & Position)
  /** Notches from -16 to 16 in steps of 1/2048; positive is right and up (the sign of MotionEvent's axes). */
  | ({ type: 'inject-scroll'; horizontal: number; vertical: number; buttons: number } & Position)
  | { type: 'back-or-screen-on'; action: KeyAction }
  | { type: 'expand-notifications' }
  | { type: 'expand-settings' }
  | { type: 'collapse-panels' }
  | { type: 'get-clipboard'; copyKey: (typeof copyKeys)[number] }
  /** The device acknowledges a `sequence` other than 0. */
  | { type: 'set-clipboard'; sequence: bigint; paste: boolean; text: string }
  | { type: 'set-display-power'; on: boolean }
  | { type: 'rotate-device' }
  | { type: 'uhid-create'; id: number; vendorId: number; productId: number; name: string; descriptor: Uint8Array }
  | { type: 'uhid-input'; id: number; data: Uint8Array }
  | { type: 'uhid-destroy'; id: number }
  | { type: 'open-hard-keyboard-settings' }
  /** A package; a leading `+` stops it first, a leading `?` searches by name. */
  | { type: 'start-app'; name: string }
  | { type: 'reset-video' }

/** Message types by their number on the wire. */
export const controlMessageTypes = [
  'inject-keycode',
  'inject-text',
  'inject-touch',
  'inject-scroll',
  'back-or-screen-on',
  'expand-notifications',
  'expand-settings',
  'collapse-panels',
  'get-clipboard',
  'set-clipboard',
  'set-display-power',
  'rotate-device',
  'uhid-create',
  'uhid-input',
  'uhid-destroy',
  'open-hard-keyboard-settings',
  'start-app',
  'reset-video',
] as const satisfies readonly ControlMessage['type'][]
