import type { ByteQueue } from '@/server/wire/byte-queue'
import { ByteReader } from '@/server/wire/byte-reader'
import { ByteWriter, encodeUtf8 } from '@/server/wire/byte-writer'
import { decodeScroll, decodeUnitInterval, encodeScroll, encodeUnitInterval } from '@/server/wire/scrcpy/fixed-point'
import {
  controlMessageMaxBytes,
  controlMessageTypes,
  copyKeys,
  injectTextMaxBytes,
  keyActions,
  touchActions,
  type ControlMessage,
  type Position,
} from '@/server/wire/scrcpy/control-message'
import { StreamParser } from '@/server/wire/stream-parser'
import { WireError } from '@/server/wire/wire-error'

export type { ControlMessage, TouchAction } from '@/server/wire/scrcpy/control-message'

/**
 * Returns the bytes of one message: its type u8, then its fields, big-endian. Throws WireError for a value that does
 * not fit its field: nothing is truncated, except pressure and scroll, which are clamped as upstream does.
 */
export function encodeControlMessage(message: ControlMessage): Uint8Array<ArrayBuffer> {
  switch (message.type) {
    case 'inject-keycode':
      return start(message, 13)
        .u8(keyActions.indexOf(message.action), 'key action')
        .u32(message.keycode, 'keycode')
        .u32(message.repeat, 'repeat')
        .u32(message.metaState, 'metaState')
        .finish()
    case 'inject-text': {
      const text = encodeLimited(message.text, injectTextMaxBytes, 'injected text')
      return start(message, 4 + text.length)
        .u32(text.length, 'text length')
        .bytes(text)
        .finish()
    }
    case 'inject-touch':
      return writePosition(
        start(message, 31)
          .u8(touchActions.indexOf(message.action), 'touch action')
          .u64(message.pointerId < 0n ? BigInt.asUintN(64, message.pointerId) : message.pointerId, 'pointerId'),
        message,
      )
        .u16(encodeUnitInterval(message.pressure, 'pressure'), 'pressure')
        .u32(message.actionButton, 'actionButton')
        .u32(message.buttons, 'buttons')
        .finish()
    case 'inject-scroll':
      return writePosition(start(message, 20), message)
        .i16(encodeScroll(message.horizontal, 'horizontal scroll'), 'horizontal scroll')
        .i16(encodeScroll(message.vertical, 'vertical scroll'), 'vertical scroll')
        .u32(message.buttons, 'buttons')
        .finish()
    case 'back-or-screen-on':
      return start(message, 1).u8(keyActions.indexOf(message.action), 'key action').finish()
    case 'get-clipboard':
      return start(message, 1).u8(copyKeys.indexOf(message.copyKey), 'copyKey').finish()
    case 'set-clipboard': {
      const text = encodeLimited(message.text, controlMessageMaxBytes - 14, 'clipboard text')
      return start(message, 13 + text.length)
        .u64(message.sequence, 'clipboard sequence')
        .u8(message.paste ? 1 : 0, 'paste')
        .u32(text.length, 'clipboard length')
        .bytes(text)
        .finish()
    }
    case 'set-display-power':
      return start(message, 1)
        .u8(message.on ? 1 : 0, 'display power')
        .finish()
    case 'uhid-create': {
      const name = encodeUtf8(message.name)
      return start(message, 9 + name.length + message.descriptor.length)
        .u16(message.id, 'uhid id')
        .u16(message.vendorId, 'vendorId')
        .u16(message.productId, 'productId')
        .u8(name.length, 'uhid name length')
        .bytes(name)
        .u16(message.descriptor.length, 'uhid descriptor length')
        .bytes(message.descriptor)
        .finish()
    }
    case 'uhid-input':
      return start(message, 4 + message.data.length)
        .u16(message.id, 'uhid id')
        .u16(message.data.length, 'uhid input length')
        .bytes(message.data)
        .finish()
    case 'uhid-destroy':
      return start(message, 2).u16(message.id, 'uhid id').finish()
    case 'start-app': {
      const name = encodeUtf8(message.name)
      return start(message, 1 + name.length)
        .u8(name.length, 'app name length')
        .bytes(name)
        .finish()
    }
    case 'expand-notifications':
    case 'expand-settings':
    case 'collapse-panels':
    case 'rotate-device':
    case 'open-hard-keyboard-settings':
    case 'reset-video':
      return start(message, 0).finish()
    default:
      throw new WireError(`unknown control message ${JSON.stringify(message satisfies never)}`)
  }
}

/**
 * Reads messages on the device's side. Throws WireError on an unknown type or action, and on a message over 256 KiB as
 * soon as its length is there. `data` and `descriptor` are views of what was pushed.
 */
export class ControlMessageParser extends StreamParser<ControlMessage> {
  constructor() {
    super((queue) => {
      const size = measure(queue)
      if (size !== undefined && size > controlMessageMaxBytes) {
        throw new WireError(`control message of ${size} bytes is over the limit of ${controlMessageMaxBytes}`)
      }
      const bytes = size === undefined ? undefined : queue.take(size)
      return bytes && decode(bytes)
    })
  }
}

/** Size in bytes of the next message, or undefined while its length fields have not arrived. */
function measure(queue: ByteQueue): number | undefined {
  const type = typeOf(queue.peek(1)?.[0])
  switch (type) {
    case undefined:
      return undefined
    case 'inject-keycode':
      return 14
    case 'inject-text':
      return measureVariable(queue, 1, 4)
    case 'inject-touch':
      return 32
    case 'inject-scroll':
      return 21
    case 'back-or-screen-on':
    case 'get-clipboard':
    case 'set-display-power':
      return 2
    case 'set-clipboard':
      return measureVariable(queue, 10, 4)
    case 'uhid-create': {
      const descriptorAt = measureVariable(queue, 7, 1)
      return descriptorAt === undefined ? undefined : measureVariable(queue, descriptorAt, 2)
    }
    case 'uhid-input':
      return measureVariable(queue, 3, 2)
    case 'uhid-destroy':
      return 3
    case 'start-app':
      return measureVariable(queue, 1, 1)
    case 'expand-notifications':
    case 'expand-settings':
    case 'collapse-panels':
    case 'rotate-device':
    case 'open-hard-keyboard-settings':
    case 'reset-video':
      return 1
    default:
      throw new WireError(`unknown control message type ${String(type satisfies never)}`)
  }
}

/** Where a field ends whose length stands in the `lengthBytes` bytes at `offset`. */
function measureVariable(queue: ByteQueue, offset: number, lengthBytes: number): number | undefined {
  const head = queue.peek(offset + lengthBytes)
  if (head === undefined) return undefined
  const length = head.subarray(offset).reduce((value, byte) => value * 256 + byte, 0)
  return offset + lengthBytes + length
}

function decode(bytes: Uint8Array): ControlMessage {
  const reader = new ByteReader(bytes, 'big-endian')
  const type = nameOf(controlMessageTypes, reader.u8(), 'control message type')
  switch (type) {
    case 'inject-keycode':
      return {
        type,
        action: nameOf(keyActions, reader.u8(), 'key action'),
        keycode: reader.u32(),
        repeat: reader.u32(),
        metaState: reader.u32(),
      }
    case 'inject-text':
      return { type, text: reader.utf8(reader.u32()) }
    case 'inject-touch':
      return {
        type,
        action: nameOf(touchActions, reader.u8(), 'touch action'),
        pointerId: reader.u64(),
        ...readPosition(reader),
        pressure: decodeUnitInterval(reader.u16()),
        actionButton: reader.u32(),
        buttons: reader.u32(),
      }
    case 'inject-scroll':
      return {
        type,
        ...readPosition(reader),
        horizontal: decodeScroll(reader.i16()),
        vertical: decodeScroll(reader.i16()),
        buttons: reader.u32(),
      }
    case 'back-or-screen-on':
      return { type, action: nameOf(keyActions, reader.u8(), 'key action') }
    case 'get-clipboard':
      return { type, copyKey: nameOf(copyKeys, reader.u8(), 'copy key') }
    case 'set-clipboard':
      return { type, sequence: reader.u64(), paste: reader.u8() !== 0, text: reader.utf8(reader.u32()) }
    case 'set-display-power':
      return { type, on: reader.u8() !== 0 }
    case 'uhid-create':
      return {
        type,
        id: reader.u16(),
        vendorId: reader.u16(),
        productId: reader.u16(),
        name: reader.utf8(reader.u8()),
        descriptor: reader.bytes(reader.u16()),
      }
    case 'uhid-input':
      return { type, id: reader.u16(), data: reader.bytes(reader.u16()) }
    case 'uhid-destroy':
      return { type, id: reader.u16() }
    case 'start-app':
      return { type, name: reader.utf8(reader.u8()) }
    default:
      return { type }
  }
}

function writePosition(writer: ByteWriter, position: Position): ByteWriter {
  return writer
    .i32(position.x, 'x')
    .i32(position.y, 'y')
    .u16(position.screenWidth, 'screenWidth')
    .u16(position.screenHeight, 'screenHeight')
}

function readPosition(reader: ByteReader): Position {
  return { x: reader.i32(), y: reader.i32(), screenWidth: reader.u16(), screenHeight: reader.u16() }
}

function start(message: ControlMessage, payloadBytes: number): ByteWriter {
  return new ByteWriter(1 + payloadBytes, 'big-endian').u8(controlMessageTypes.indexOf(message.type), 'control type')
}

function typeOf(number: number | undefined): ControlMessage['type'] | undefined {
  return number === undefined ? undefined : nameOf(controlMessageTypes, number, 'control message type')
}

function nameOf<Name extends string>(names: readonly Name[], number: number, what: string): Name {
  const name = names[number]
  if (name === undefined) throw new WireError(`unknown ${what} ${number}`)
  return name
}

function encodeLimited(text: string, maxBytes: number, what: string): Uint8Array<ArrayBuffer> {
  const bytes = encodeUtf8(text)
  if (bytes.length > maxBytes) {
    throw new WireError(`${what} of ${bytes.length} bytes is over the limit of ${maxBytes}`)
  }
  return bytes
}
