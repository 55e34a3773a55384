import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { findVocabularyFaults } from './vocabulary'

const sources = readdirSync('server', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => {
    const path = relative('.', join(entry.parentPath, entry.name))
    return { path, text: readFileSync(path, 'utf8') }
  })

test('the rooms of the server keep to the closed vocabulary', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(findVocabularyFaults(sources)).toEqual([])
})

test.each([
  ['server/device/index.ts', 'export const a = 1', 'barrel or catch-all name'],
  ['server/device/utils.ts', 'export const utils = 1', 'barrel or catch-all name'],
  ['server/device/helpers/x.ts', 'export const x = 1', 'barrel or catch-all name'],
  ['server/device/startThing.ts', 'export const startThing = 1', 'not kebab-case'],
  ['server/device/start-thing.ts', 'export function other() {}', 'exports nothing named after it'],
  ['server/device/start-thing.ts', 'export default function startThing() {}', 'default export'],
])('%s with `%s` is refused: %s', (path, text, fault) => {
  expect(findVocabularyFaults([{ path, text }]).map((found) => found.fault)).toContain(fault)
})

test('a file of the vocabulary may export what it likes', () => {
  const names = ['contract.ts', 'store.ts', 'router.ts', 'http.ts', 'jobs.ts', 'errors.ts']
  for (const name of names)
    expect(findVocabularyFaults([{ path: `server/x/${basename(name)}`, text: 'export const y = 1' }])).toEqual([])
})
