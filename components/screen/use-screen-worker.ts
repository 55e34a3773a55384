'use client'

import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ClientMessage, LeaseHolder } from '@/server/wire/gateway/messages'
import type { FromScreenWorker, ScreenSize, ScreenState, ToScreenWorker } from './screen-messages'

export type ScreenView = {
  state: ScreenState
  reason: string | null
  holder: LeaseHolder | null
  size: ScreenSize | null
  framesDrawn: number
  refusal: { code: string; message: string } | null
}

const nothingYet: ScreenView = {
  state: 'connecting',
  reason: null,
  holder: null,
  size: null,
  framesDrawn: 0,
  refusal: null,
}

function reduce(view: ScreenView, message: FromScreenWorker): ScreenView {
  switch (message.type) {
    case 'state':
      return { ...view, state: message.state, reason: message.reason }
    case 'lease':
      return { ...view, holder: message.holder, refusal: null }
    case 'size':
      return { ...view, size: message.size }
    case 'drawn':
      return { ...view, framesDrawn: message.frames }
    case 'refused':
      return { ...view, refusal: { code: message.code, message: message.message } }
    default:
      throw new Error(`unknown message ${JSON.stringify(message satisfies never)}`)
  }
}

/** Why this browser can't show the video, or null. WebCodecs exists only on https and on localhost. */
function missingDecoder(): string | null {
  if (!window.isSecureContext) return 'insecure'
  return 'VideoDecoder' in window && 'OffscreenCanvas' in window ? null : 'no-webcodecs'
}

function unsupported(reason: string): ScreenView {
  return { ...nothingYet, state: 'unsupported', reason }
}

const neverChanges = () => () => undefined

/**
 * Shows a device in a canvas it puts into `place`. A canvas can be handed to a worker only once: each worker gets its
 * own, which also keeps React's double effects in development apart.
 */
export function useScreenWorker(deviceId: string, place: RefObject<HTMLElement | null>) {
  const [view, setView] = useState(nothingYet)
  const worker = useRef<Worker | null>(null)
  // On the server nothing is known yet; in the browser it never changes.
  const missing = useSyncExternalStore(neverChanges, missingDecoder, () => null)

  useEffect(() => {
    if (missing !== null) return
    const canvas = document.createElement('canvas')
    canvas.className = 'block size-full'
    canvas.setAttribute('aria-hidden', 'true')
    place.current?.append(canvas)
    const offscreen = canvas.transferControlToOffscreen()
    const started = new Worker(new URL('./decoder.worker.ts', import.meta.url), { type: 'module' })
    started.onmessage = ({ data }: MessageEvent<FromScreenWorker>) => setView((now) => reduce(now, data))
    started.onerror = () => setView((now) => ({ ...now, state: 'unsupported', reason: 'no-worker' }))
    const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/device/${deviceId}`
    started.postMessage({ type: 'start', url, canvas: offscreen } satisfies ToScreenWorker, [offscreen])
    worker.current = started
    return () => {
      worker.current = null
      started.postMessage({ type: 'stop' } satisfies ToScreenWorker)
      canvas.remove()
      setView(nothingYet)
    }
  }, [deviceId, place, missing])

  const send = useCallback((message: ClientMessage) => {
    worker.current?.postMessage({ type: 'send', message } satisfies ToScreenWorker)
  }, [])
  return { view: missing === null ? view : unsupported(missing), send }
}
