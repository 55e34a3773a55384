import { AdbBanner } from '@yume-chan/adb'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatBanner, parseBanner } from '@/server/wire/adb/banner'
import { WireError } from '@/server/wire/wire-error'

const properties = {
  'ro.product.name': 'vphone',
  'ro.product.model': 'VPhone 1',
  'ro.product.device': 'vphone',
}

test('golden text, which Tango reads too', () => {
  const text = formatBanner({ kind: 'device', properties, features: ['shell_v2', 'cmd'] })
  expect(text).toBe(
    'device::ro.product.name=vphone;ro.product.model=VPhone 1;ro.product.device=vphone;features=shell_v2,cmd',
  )
  const theirs = AdbBanner.parse(text)
  expect([theirs.product, theirs.model, theirs.device, theirs.features]).toEqual([
    'vphone',
    'VPhone 1',
    'vphone',
    ['shell_v2', 'cmd'],
  ])
})

test('reads what it wrote', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9._]{0,12}$/).filter((key) => key !== 'features')
  fc.assert(
    fc.property(
      fc.constantFrom('device' as const, 'host' as const),
      fc.dictionary(name, fc.stringMatching(/^[^:;\0]{0,12}$/), { noNullPrototype: true }),
      fc.array(name),
      (kind, values, features) => {
        const banner = { kind, properties: values, features }
        expect(parseBanner(formatBanner(banner))).toEqual(banner)
      },
    ),
  )
})

test('reads the banners of real ends', () => {
  expect(parseBanner('host::features=shell_v2,cmd,stat_v2')).toEqual({
    kind: 'host',
    properties: {},
    features: ['shell_v2', 'cmd', 'stat_v2'],
  })
  expect(parseBanner('host::\0')).toEqual({ kind: 'host', properties: {}, features: [] })
  expect(parseBanner('device:HT1234:ro.product.name=a;')).toEqual({
    kind: 'device',
    properties: { 'ro.product.name': 'a' },
    features: [],
  })
})

test('a property called __proto__ stays a property', () => {
  expect(Object.entries(parseBanner('device::__proto__=x').properties)).toEqual([['__proto__', 'x']])
})

test.each(['', 'nonsense', 'printer::a=b', 'device:'])('refuses %j', (text) => {
  expect(() => parseBanner(text)).toThrow(WireError)
})

test.each([
  { properties: { model: 'a;b' }, features: [] },
  { properties: { model: 'a:b' }, features: [] },
  { properties: { 'a=b': 'c' }, features: [] },
  { properties: { features: 'c' }, features: [] },
  { properties: {}, features: ['a,b'] },
])('refuses to write %j', (banner) => {
  const safe = banner as { properties: Record<string, string>; features: string[] }
  expect(() => formatBanner({ kind: 'device', ...safe })).toThrow(WireError)
})
