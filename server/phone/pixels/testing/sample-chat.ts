import type { LaidOutNode, Rect, Widget } from '@/server/phone/ui/contract'
import { layOutWindows } from '@/server/phone/ui/layout'

/** A conversation with every kind of widget, for tests and measurements. */
export type SampleChat = { draft: string; messages: readonly string[]; scroll: number; isPressed: boolean }

export const sampleChat: SampleChat = {
  draft: 'Dinner moved to Friday',
  messages: [
    'See you Thursday! Same place?',
    'Yes, table booked 19:00',
    '林悦：晚饭改到周五晚上八点，还是老地方，可以吗？',
    'Dinner moved to Friday 20:00, same place. Still good? 🎉',
    '好的 👍 see you there',
    'I will bring the photographs from Łódź and the café in Sèvres. ❤️',
    'ok',
    'Great, then everything is settled.',
  ],
  scroll: 0,
  isPressed: false,
}

/** Lays the sample out as windows of a 540 x 1200 screen: app, keyboard, status bar. */
export function layOutSampleChat(chat: SampleChat): LaidOutNode[] {
  const band = (y: number, height: number): Rect => ({ x: 0, y, width: 540, height })
  return layOutWindows(
    [
      { root: conversation(chat), packageName: 'com.tapline.messages', bounds: band(48, 796) },
      { root: keyboard(), packageName: 'com.tapline.keyboard', bounds: band(844, 356) },
      { root: statusBar(), packageName: 'com.android.systemui', bounds: band(0, 48) },
    ],
    { messages: chat.scroll },
  )
}

function statusBar(): Widget {
  return {
    kind: 'box',
    style: { direction: 'row', align: 'center', justify: 'between', padding: [0, 26], background: '#fbfbfc' },
    children: [
      { kind: 'text', text: '18:04', textStyle: { size: 20, weight: 600 } },
      {
        kind: 'box',
        style: { direction: 'row', align: 'center', gap: 8 },
        children: [
          { kind: 'icon', icon: 'signal', size: 22, colour: '#15181c' },
          { kind: 'icon', icon: 'wifi', size: 24, colour: '#15181c' },
          { kind: 'text', text: '82', textStyle: { size: 19, weight: 500 } },
          { kind: 'icon', icon: 'battery', size: 26, colour: '#15181c' },
        ],
      },
    ],
  }
}

function conversation(chat: SampleChat): Widget {
  return {
    kind: 'box',
    style: { background: '#fbfbfc' },
    children: [
      {
        kind: 'box',
        key: 'app-bar',
        style: {
          direction: 'row',
          align: 'center',
          height: 88,
          shrink: 0,
          gap: 12,
          padding: [0, 12],
          hairline: { edge: 'bottom', colour: '#e8eaee' },
        },
        children: [
          {
            kind: 'box',
            id: 'back',
            description: 'Back',
            onTap: { app: 'messages', type: 'back' },
            style: { width: 64, height: 72, align: 'center', justify: 'center' },
            children: [{ kind: 'icon', icon: 'back', size: 34, colour: '#15181c' }],
          },
          {
            kind: 'box',
            style: {
              width: 54,
              height: 54,
              radius: 27,
              background: '#d9e6ff',
              align: 'center',
              justify: 'center',
              shrink: 0,
            },
            children: [{ kind: 'text', text: 'LY', textStyle: { size: 20, weight: 600, colour: '#2456b8' } }],
          },
          {
            kind: 'text',
            text: 'Lin Yue 林悦',
            textStyle: { size: 26, lineHeight: 36, weight: 600, maxLines: 1 },
            style: { grow: 1, minWidth: 0 },
          },
          { kind: 'icon', icon: 'phone', size: 32, colour: '#15181c' },
          { kind: 'icon', icon: 'more', size: 32, colour: '#15181c' },
        ],
      },
      {
        kind: 'scroll',
        scrollId: 'messages',
        anchor: 'bottom',
        style: { grow: 1, shrink: 1, minHeight: 0, padding: [20, 22], gap: 10 },
        children: chat.messages.map((text, index) => bubble(text, index)),
      },
      {
        kind: 'box',
        key: 'notice',
        style: {
          absolute: { top: 110, left: 40, right: 40 },
          direction: 'row',
          align: 'center',
          gap: 14,
          padding: [16, 22],
          radius: 22,
          background: '#ffffff',
          shadow: 'high',
        },
        children: [
          { kind: 'icon', icon: 'calendar', size: 30, colour: '#2563eb' },
          { kind: 'text', text: 'Dinner with Lin, Fri 4 Dec 20:00', textStyle: { size: 21, weight: 500 } },
        ],
      },
      composer(chat),
    ],
  }
}

function bubble(text: string, index: number): Widget {
  const isMine = index % 2 === 1
  return {
    kind: 'box',
    key: `message-${index}`,
    style: { align: isMine ? 'end' : 'start', shrink: 0 },
    children: [
      {
        kind: 'box',
        style: {
          maxWidth: '80%',
          padding: [12, 20],
          background: isMine ? '#2563eb' : '#eef0f4',
          radius: isMine ? [28, 28, 8, 28] : [28, 28, 28, 8],
        },
        children: [
          { kind: 'text', text, textStyle: { size: 24, lineHeight: 33, colour: isMine ? '#ffffff' : '#15181c' } },
        ],
      },
    ],
  }
}

function composer(chat: SampleChat): Widget {
  return {
    kind: 'box',
    key: 'composer',
    style: {
      direction: 'row',
      align: 'end',
      shrink: 0,
      gap: 12,
      padding: [12, 16, 14, 20],
      hairline: { edge: 'top', colour: '#e8eaee' },
    },
    children: [
      {
        kind: 'input',
        id: 'compose',
        field: 'messages:draft',
        focused: true,
        text: chat.draft,
        caret: chat.draft.length,
        hint: 'Text message',
        textStyle: { size: 24, lineHeight: 33, maxLines: 5 },
        style: { grow: 1, shrink: 1, minWidth: 0, minHeight: 64, padding: [15, 26], radius: 32, background: '#eef0f4' },
      },
      {
        kind: 'box',
        id: 'send',
        description: 'Send',
        onTap: { app: 'messages', type: 'send' },
        style: {
          width: 64,
          height: 64,
          radius: 32,
          shrink: 0,
          align: 'center',
          justify: 'center',
          background: chat.isPressed ? '#1d4fc4' : '#2563eb',
        },
        children: [{ kind: 'icon', icon: 'send', size: 32, colour: '#ffffff' }],
      },
    ],
  }
}

function keyboard(): Widget {
  const row = (keys: Widget[]): Widget => ({
    kind: 'box',
    style: { direction: 'row', justify: 'center', gap: 6 },
    children: keys,
  })
  const letters = (text: string): Widget[] =>
    Array.from(text, (letter) => key({ kind: 'text', text: letter, textStyle: { size: 27 } }, 46))
  const icon = (name: 'shift' | 'backspace' | 'globe' | 'enter' | 'hide-keyboard'): Widget => ({
    kind: 'icon',
    icon: name,
    size: 30,
    colour: '#15181c',
  })
  const rows = [
    row(letters('qwertyuiop')),
    row(letters('asdfghjkl')),
    row([key(icon('shift'), 68), ...letters('zxcvbnm'), key(icon('backspace'), 68)]),
    row([
      key(icon('hide-keyboard'), 68),
      key(icon('globe'), 68),
      key({ kind: 'text', text: 'English', textStyle: { size: 20, colour: '#5b6472' } }, 244),
      key(icon('enter'), 96),
    ]),
  ]
  return { kind: 'box', style: { background: '#e4e7ec', padding: [12, 6], gap: 10 }, children: rows }
}

function key(face: Widget, width: number): Widget {
  return {
    kind: 'box',
    style: {
      width,
      height: 74,
      radius: 10,
      background: '#ffffff',
      shadow: 'low',
      align: 'center',
      justify: 'center',
    },
    children: [face],
  }
}
