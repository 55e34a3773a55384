import { expect, test } from 'vitest'
import { chooseLocale } from './locale'

test.each([
  ['zh-CN', 'en', 'zh-CN'],
  ['xx', 'zh-TW,zh;q=0.9,en;q=0.8', 'zh-CN'],
  [undefined, 'de,en-GB;q=0.7', 'en'],
  [undefined, 'de', 'en'],
  [undefined, null, 'en'],
] as const)('cookie %s with Accept-Language %s gives %s', (cookie, header, locale) => {
  expect(chooseLocale(cookie, header)).toBe(locale)
})
