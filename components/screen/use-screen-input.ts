'use client'

import { type RefObject, useEffect } from 'react'
import type { ClientMessage, TouchMessage } from '@/server/wire/gateway/messages'
import { Fingers, keyMessagesOf, scrollMessageOf, toDevicePoint } from './screen-input'
import type { ScreenSize } from './screen-messages'

type ScreenInput = {
  surface: RefObject<HTMLElement | null>
  isActive: boolean
  size: ScreenSize | null
  send: (message: ClientMessage) => void
}

/** Hands pointer, wheel and keyboard over the surface to the device while the lease is ours. */
export function useScreenInput({ surface, isActive, size, send }: ScreenInput): void {
  useEffect(() => {
    const element = surface.current
    if (element === null || !isActive || size === null) return
    const fingers = new Fingers()
    const listening = new AbortController()
    const { signal } = listening
    const pointOf = (event: PointerEvent | WheelEvent) => toDevicePoint(event, element.getBoundingClientRect(), size)

    const touch = (action: TouchMessage['action']) => (event: PointerEvent) => {
      if (event.pointerType === 'mouse' && action === 'down' && event.button !== 0) return
      const at = pointOf(event)
      const message = at === null ? null : fingers.touch(action, event.pointerId, at, size)
      if (message === null) return
      event.preventDefault()
      // So that a drag that leaves the screen still ends.
      if (action === 'down') {
        element.setPointerCapture(event.pointerId)
        element.focus({ preventScroll: true })
      }
      send(message)
    }
    element.addEventListener('pointerdown', touch('down'), { signal })
    element.addEventListener('pointermove', touch('move'), { signal })
    element.addEventListener('pointerup', touch('up'), { signal })
    element.addEventListener('pointercancel', touch('cancel'), { signal })
    element.addEventListener('contextmenu', (event) => event.preventDefault(), { signal })
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault()
        const at = pointOf(event)
        if (at !== null) send(scrollMessageOf(event, at, size))
      },
      { signal, passive: false },
    )
    element.addEventListener(
      'keydown',
      (event) => {
        const messages = keyMessagesOf(event)
        if (messages.length === 0) return
        event.preventDefault()
        event.stopPropagation()
        for (const message of messages) send(message)
      },
      { signal },
    )
    element.addEventListener(
      'paste',
      (event) => {
        const text = event.clipboardData?.getData('text/plain').slice(0, 4_000) ?? ''
        if (text === '') return
        event.preventDefault()
        send({ type: 'text', text })
      },
      { signal },
    )
    return () => listening.abort()
  }, [surface, isActive, size, send])
}
