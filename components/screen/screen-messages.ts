import type { ClientMessage, LeaseHolder } from '@/server/wire/gateway/messages'

/** What a viewer sees of a device; `unsupported` is a browser that can't decode the video. */
export const screenStates = ['connecting', 'waiting-for-key-frame', 'live', 'stalled', 'gone', 'unsupported'] as const
export type ScreenState = (typeof screenStates)[number]

export type ScreenSize = { width: number; height: number }

/** Page to worker. */
export type ToScreenWorker =
  | { type: 'start'; url: string; canvas: OffscreenCanvas }
  | { type: 'send'; message: ClientMessage }
  | { type: 'stop' }

/** Worker to page. Frames never pass through the page. */
export type FromScreenWorker =
  | { type: 'state'; state: ScreenState; reason: string | null }
  | { type: 'lease'; holder: LeaseHolder | null }
  /** The picture now shown, in device pixels. */
  | { type: 'size'; size: ScreenSize }
  /** Frames drawn since the start, told at most 4 times a second. */
  | { type: 'drawn'; frames: number }
  | { type: 'refused'; code: string; message: string }
