import { expect, test } from 'vitest'
import english from './en.json'
import chinese from './zh-CN.json'

function keysOf(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'object' && child !== null ? keysOf(child, `${prefix}${key}.`) : [`${prefix}${key}`],
  )
}

const argumentsOf = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((match) => match[1]).sort()

function textAt(value: unknown, path: string): string {
  return String(path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], value))
}

test('both catalogues have the same keys', () => {
  expect(keysOf(chinese).sort()).toEqual(keysOf(english).sort())
})

test('a text takes the same arguments in both languages', () => {
  for (const key of keysOf(english)) {
    const own = new Set(argumentsOf(textAt(english, key)))
    for (const name of argumentsOf(textAt(chinese, key))) expect([key, own.has(name)]).toEqual([key, true])
  }
})
