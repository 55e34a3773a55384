import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import boundaries from './boundaries.json'

const text = readFileSync('ARCHITECTURE.md', 'utf8')

test('the table of rooms is the data the gate reads', () => {
  const rows = [...text.matchAll(/^\| `([^`]+)` *\| (.+?) *\|$/gm)].map((row) => [
    row[1],
    [...(row[2] ?? '').matchAll(/`([^`]+)`/g)].map((name) => name[1]),
  ])
  expect(Object.fromEntries(rows.filter(([folder]) => String(folder) in boundaries))).toEqual(boundaries)
})

test('every path it names is there', () => {
  const paths = [...text.matchAll(/`((?:app|components|db|docs|messages|scripts|server|skills)\/[^`*<>]+)`/g)].map(
    (match) => String(match[1]),
  )
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !existsSync(path) && !path.includes('[') && path !== 'components/[page]/')).toEqual([])
})
