import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Widget } from './contract'
import { escapeXml, hierarchyXml } from './hierarchy-xml'
import { layOut } from './layout'

function xmlOf(...children: Widget[]): string {
  const root: Widget = { kind: 'box', children }
  return hierarchyXml([layOut(root, { packageName: 'com.tapline.messages', width: 400, height: 600, scroll: {} })], {
    rotation: 0,
  })
}

describe('hierarchyXml', () => {
  test('has the shape of a uiautomator dump', () => {
    const send: Widget = {
      kind: 'box',
      id: 'send',
      className: 'android.widget.Button',
      description: 'Send',
      onTap: { app: 'messages', type: 'send' },
      enabled: false,
      style: { width: 64, height: 64 },
    }
    expect(xmlOf(send)).toBe(
      `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">` +
        `<node index="0" text="" resource-id="" class="android.widget.LinearLayout" package="com.tapline.messages" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][400,600]">` +
        `<node index="0" text="" resource-id="com.tapline.messages:id/send" class="android.widget.Button" package="com.tapline.messages" content-desc="Send" checkable="false" checked="false" clickable="true" enabled="false" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][64,64]" />` +
        `</node></hierarchy>`,
    )
  })

  test('gives an empty input its hint, and says what is checked, selected, focused and scrollable', () => {
    const input: Widget = {
      kind: 'input',
      field: 'draft',
      focused: true,
      text: '',
      caret: 0,
      hint: 'Text message',
      textStyle: { size: 20 },
    }
    expect(xmlOf(input)).toContain('text="Text message" resource-id="" class="android.widget.EditText"')
    expect(xmlOf(input)).toContain(
      'clickable="true" enabled="true" focusable="true" focused="true" scrollable="false" long-clickable="true"',
    )
    expect(xmlOf({ kind: 'box', checked: true, selected: true, style: { height: 9 } })).toMatch(
      /checkable="true" checked="true".*selected="true"/,
    )
    const list: Widget = {
      kind: 'scroll',
      scrollId: 'a',
      style: { height: 50 },
      children: [{ kind: 'box', style: { height: 90 } }],
    }
    expect(xmlOf(list)).toContain('scrollable="true"')
  })

  test('leaves out what cannot be seen and cuts bounds to what can', () => {
    const list: Widget = {
      kind: 'scroll',
      scrollId: 'a',
      style: { height: 50 },
      children: [
        { kind: 'box', description: 'half', style: { height: 90 } },
        { kind: 'box', description: 'below', style: { height: 90 } },
      ],
    }
    expect(xmlOf(list)).toContain('content-desc="half"')
    expect(xmlOf(list)).toContain('bounds="[0,0][400,50]" />')
    expect(xmlOf(list)).not.toContain('below')
  })
})

describe('escapeXml', () => {
  test('escapes markup and white space', () => {
    expect(escapeXml(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;')
    expect(escapeXml('a\tb\nc\r')).toBe('a&#9;b&#10;c&#13;')
  })

  test('replaces what XML cannot carry', () => {
    expect(escapeXml('a\u0000\u0008\u001f\ufffe\uffffb')).toBe('a.....b')
    expect(escapeXml('\ud83d')).toBe('.')
    expect(escapeXml('\ude00x')).toBe('.x')
    expect(escapeXml('😀林')).toBe('😀林')
  })

  test('gives for any string only characters of XML 1.0 and no markup', () => {
    const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeXml(text)
        expect(Buffer.from(escaped).toString()).toBe(escaped)
        expect(escaped).not.toMatch(/[<>"']|[\u0000-\u001f\ufffe\uffff]/)
      }),
    )
  })
})
