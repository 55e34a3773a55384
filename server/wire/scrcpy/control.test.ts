import {
  ScrcpyControlMessageSerializer,
  ScrcpyOptions3_3_3,
  type AndroidKeyCode,
  type AndroidScreenPowerMode,
} from '@yume-chan/scrcpy'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ControlMessageParser, encodeControlMessage, type ControlMessage } from '@/server/wire/scrcpy/control'
import { controlMessageTypes, copyKeys, keyActions, touchActions } from '@/server/wire/scrcpy/control-message'
import { chunkSizes, concatenate, fromHex, pushInChunks } from '@/server/wire/testing/push-in-chunks'
import { WireError } from '@/server/wire/wire-error'

const unsigned16 = fc.integer({ min: 0, max: 0xffff })
const unsigned32 = fc.integer({ min: 0, max: 0xffff_ffff })
const unsigned64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const signed32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff })
const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const position = { x: signed32, y: signed32, screenWidth: unsigned16, screenHeight: unsigned16 }
/** Values the fixed-point fields hold exactly, both ends included. */
const pressure = fc.integer({ min: 0, max: 0xffff }).map((fixed) => (fixed === 0xffff ? 1 : fixed / 0x1_0000))
const notches = fc.integer({ min: -0x8000, max: 0x7fff }).map((fixed) => (fixed === 0x7fff ? 16 : fixed / 2_048))

const fieldsOf = {
  'inject-keycode': {
    action: fc.constantFrom(...keyActions),
    keycode: unsigned32,
    repeat: unsigned32,
    metaState: unsigned32,
  },
  'inject-text': { text },
  'inject-touch': {
    action: fc.constantFrom(...touchActions),
    pointerId: unsigned64,
    pressure,
    actionButton: unsigned32,
    buttons: unsigned32,
    ...position,
  },
  'inject-scroll': { horizontal: notches, vertical: notches, buttons: unsigned32, ...position },
  'back-or-screen-on': { action: fc.constantFrom(...keyActions) },
  'expand-notifications': {},
  'expand-settings': {},
  'collapse-panels': {},
  'get-clipboard': { copyKey: fc.constantFrom(...copyKeys) },
  'set-clipboard': { sequence: unsigned64, paste: fc.boolean(), text },
  'set-display-power': { on: fc.boolean() },
  'rotate-device': {},
  'uhid-create': {
    id: unsigned16,
    vendorId: unsigned16,
    productId: unsigned16,
    name: text,
    descriptor: fc.uint8Array({ maxLength: 60 }),
  },
  'uhid-input': { id: unsigned16, data: fc.uint8Array({ maxLength: 60 }) },
  'uhid-destroy': { id: unsigned16 },
  'open-hard-keyboard-settings': {},
  'start-app': { name: text },
  'reset-video': {},
} satisfies Record<ControlMessage['type'], Record<string, fc.Arbitrary<unknown>>>

const messages = fc.oneof(
  ...controlMessageTypes.map((type) =>
    fc
      .record({ type: fc.constant(type), ...fieldsOf[type] }, { noNullPrototype: true })
      .map((message) => message as unknown as ControlMessage),
  ),
)

const touch: ControlMessage = {
  type: 'inject-touch',
  action: 'down',
  pointerId: 0x1234567887654321n,
  x: 100,
  y: 200,
  screenWidth: 1080,
  screenHeight: 1920,
  pressure: 1,
  actionButton: 1,
  buttons: 1,
}

/** Written out field by field; the values are those upstream tests with, where it has a test for the type. */
const golden: [ControlMessage, string][] = [
  [
    { type: 'inject-keycode', action: 'up', keycode: 66, repeat: 5, metaState: 0x41 },
    '00 01 00000042 00000005 00000041',
  ],
  [{ type: 'inject-text', text: 'hello, world!' }, '01 0000000d 68656c6c6f2c20776f726c6421'],
  [touch, '02 00 1234567887654321 00000064 000000c8 0438 0780 ffff 00000001 00000001'],
  [
    {
      type: 'inject-scroll',
      x: 260,
      y: 1026,
      screenWidth: 1080,
      screenHeight: 1920,
      horizontal: 16,
      vertical: -16,
      buttons: 1,
    },
    '03 00000104 00000402 0438 0780 7fff 8000 00000001',
  ],
  [{ type: 'back-or-screen-on', action: 'up' }, '04 01'],
  [{ type: 'expand-notifications' }, '05'],
  [{ type: 'expand-settings' }, '06'],
  [{ type: 'collapse-panels' }, '07'],
  [{ type: 'get-clipboard', copyKey: 'copy' }, '08 01'],
  [
    { type: 'set-clipboard', sequence: 0x0102030405060708n, paste: true, text: 'hello, world!' },
    '09 0102030405060708 01 0000000d 68656c6c6f2c20776f726c6421',
  ],
  [{ type: 'set-display-power', on: true }, '0a 01'],
  [{ type: 'rotate-device' }, '0b'],
  [
    {
      type: 'uhid-create',
      id: 42,
      vendorId: 0x1234,
      productId: 0x5678,
      name: 'ABC',
      descriptor: fromHex('01020304050607'),
    },
    '0c 002a 1234 5678 03 414243 0007 01020304050607',
  ],
  [{ type: 'uhid-input', id: 42, data: fromHex('0102030405') }, '0d 002a 0005 0102030405'],
  [{ type: 'uhid-destroy', id: 42 }, '0e 002a'],
  [{ type: 'open-hard-keyboard-settings' }, '0f'],
  [{ type: 'start-app', name: 'firefox' }, '10 07 66697265666f78'],
  [{ type: 'reset-video' }, '11'],
]

test.each(golden)('golden bytes, written and read: %o', (message, hex) => {
  expect(encodeControlMessage(message)).toEqual(fromHex(hex))
  expect(new ControlMessageParser().push(fromHex(hex))).toEqual([message])
})

test('the golden bytes cover every type', () => {
  expect(golden.map(([message]) => message.type)).toEqual(controlMessageTypes)
})

test('reads what it wrote, in any pieces', () => {
  fc.assert(
    fc.property(fc.array(messages, { maxLength: 12 }), chunkSizes, (sent, sizes) => {
      const parser = new ControlMessageParser()
      expect(pushInChunks(parser, concatenate(sent.map(encodeControlMessage)), sizes)).toEqual(sent)
      expect(parser.pendingBytes).toBe(0)
    }),
  )
})

/** What Tango writes for scrcpy 3.3.3, or null where it has no serializer. */
function serializeWithTango(message: ControlMessage): unknown {
  const tango = new ScrcpyControlMessageSerializer(new ScrcpyOptions3_3_3({ clipboardAutosync: true }))
  switch (message.type) {
    case 'inject-keycode':
      return tango.injectKeyCode({
        action: keyActions.indexOf(message.action) as 0 | 1,
        keyCode: message.keycode as AndroidKeyCode,
        repeat: message.repeat,
        metaState: message.metaState as 0,
      })
    case 'inject-text':
      return tango.injectText(message.text)
    case 'inject-touch':
      return tango.injectTouch({
        action: touchActions.indexOf(message.action) as 0,
        pointerId: message.pointerId,
        pointerX: message.x,
        pointerY: message.y,
        videoWidth: message.screenWidth,
        videoHeight: message.screenHeight,
        pressure: message.pressure,
        actionButton: message.actionButton,
        buttons: message.buttons,
      })
    case 'inject-scroll':
      return tango.injectScroll({
        pointerX: message.x,
        pointerY: message.y,
        videoWidth: message.screenWidth,
        videoHeight: message.screenHeight,
        scrollX: message.horizontal,
        scrollY: message.vertical,
        buttons: message.buttons,
      })
    case 'back-or-screen-on':
      return tango.backOrScreenOn(keyActions.indexOf(message.action) as 0 | 1)
    case 'set-clipboard': {
      const { sequence, paste, text: content } = message
      const result = tango.setClipboard({ sequence, paste, content })
      return Array.isArray(result) ? result[0] : result
    }
    case 'set-display-power':
      return tango.setDisplayPower((message.on ? 1 : 0) as AndroidScreenPowerMode)
    case 'uhid-create': {
      const { id, vendorId, productId, name, descriptor } = message
      return tango.uHidCreate({ id, vendorId, productId, name, data: descriptor })
    }
    case 'uhid-input':
      return tango.uHidInput({ id: message.id, data: message.data })
    case 'uhid-destroy':
      return tango.uHidDestroy(message.id)
    case 'start-app':
      return tango.startApp(message.name)
    case 'expand-notifications':
      return tango.expandNotificationPanel()
    case 'expand-settings':
      return tango.expandSettingPanel()
    case 'collapse-panels':
      return tango.collapseNotificationPanel()
    case 'rotate-device':
      return tango.rotateDevice()
    case 'reset-video':
      return tango.resetVideo()
    case 'get-clipboard':
    case 'open-hard-keyboard-settings':
      return null
  }
}

describe('equals Tango byte for byte', () => {
  test('on every type it can write', () => {
    const compared = new Set<ControlMessage['type']>()
    fc.assert(
      fc.property(messages, (message) => {
        const theirs = serializeWithTango(message)
        if (theirs === null) return
        compared.add(message.type)
        expect(encodeControlMessage(message)).toEqual(theirs)
      }),
      { numRuns: 1_000 },
    )
    expect(compared.size).toBe(16)
  })

  test('on pressures and scrolls between and beyond the steps', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ min: -40, max: 40, noNaN: true }), (first, second) => {
        const pressed: ControlMessage = { ...touch, pressure: Math.abs(first) }
        expect(encodeControlMessage(pressed)).toEqual(serializeWithTango(pressed))
        const scrolled: ControlMessage = {
          type: 'inject-scroll',
          x: 1,
          y: 2,
          screenWidth: 3,
          screenHeight: 4,
          horizontal: first,
          vertical: second,
          buttons: 0,
        }
        expect(encodeControlMessage(scrolled)).toEqual(serializeWithTango(scrolled))
      }),
    )
  })

  test('on the mouse, pointer -1', () => {
    const message: ControlMessage = { ...touch, pointerId: -1n }
    expect(encodeControlMessage(message)).toEqual(serializeWithTango(message))
    expect(new ControlMessageParser().push(encodeControlMessage(message))).toEqual([
      { ...touch, pointerId: 0xffff_ffff_ffff_ffffn },
    ])
  })
})

describe('refuses', () => {
  test.each([
    ['an unknown type', '12', /unknown control message type 18/],
    ['an unknown key action', '00 02 00000042 00000005 00000041', /unknown key action 2/],
    ['an unknown touch action', '02 0d' + '00'.repeat(30), /unknown touch action 13/],
    ['an unknown copy key', '08 03', /unknown copy key 3/],
    ['a text over 256 KiB, from its length alone', '01 0003fffc', /262145 bytes is over the limit/],
    ['a clipboard over 256 KiB', '09 0000000000000000 00 ffffffff', /over the limit/],
  ])('%s', (_, hex, message) => {
    expect(() => new ControlMessageParser().push(fromHex(hex))).toThrow(message)
  })

  test.each<[string, ControlMessage]>([
    ['a text over 300 bytes', { type: 'inject-text', text: '漢'.repeat(101) }],
    ['a clipboard over 256 KiB', { type: 'set-clipboard', sequence: 0n, paste: false, text: 'a'.repeat(262_131) }],
    ['a name over 255 bytes', { type: 'start-app', name: 'a'.repeat(256) }],
    ['a pressure that is not a number', { ...touch, pressure: Number.NaN }],
    ['a fraction of a pixel', { ...touch, x: 1.5 }],
    ['a screen over 65535', { ...touch, screenWidth: 65_536 }],
    ['an action of no such name', { ...touch, action: 'tap' as 'down' }],
  ])('to write %s', (_, message) => {
    expect(() => encodeControlMessage(message)).toThrow(WireError)
  })
})

test('a cut message gives nothing', () => {
  for (const [message] of golden) {
    const parser = new ControlMessageParser()
    const bytes = encodeControlMessage(message)
    expect(parser.push(bytes.subarray(0, -1))).toEqual([])
    expect(parser.push(bytes.subarray(-1))).toEqual([message])
  }
})
