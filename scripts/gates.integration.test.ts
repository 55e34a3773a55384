import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A copy of the working tree in which one violation of each kind is planted, to see its gate refuse it. */
let copy = ''

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tapline-gates-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split('\n')
  for (const file of files.filter((name) => name !== '' && !name.startsWith('docs/'))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(file, join(copy, file), { force: true })
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  execFileSync('git', ['init', '-q'], { cwd: copy })
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

function gate(command: string, args: string[]): { code: number; output: string } {
  const result = spawnSync(command, args, { cwd: copy, encoding: 'utf8' })
  return { code: result.status ?? 1, output: result.stdout + result.stderr }
}

function withPlanted(file: string, text: string, run: () => void): void {
  const path = join(copy, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  try {
    run()
  } finally {
    rmSync(path)
  }
}

const lint = ['oxlint', '--type-aware', '--deny-warnings']

test.each([
  [
    'types',
    'server/wire/planted.ts',
    "export const planted: number = 'text'\n",
    'npx',
    ['tsc', '--noEmit', '-p', '.'],
    'TS2322',
  ],
  ['any', 'server/wire/planted.ts', 'export const planted = (x: any) => x\n', 'npx', lint, 'no-explicit-any'],
  [
    'floating promise',
    'server/wire/planted.ts',
    'export function planted() {\n  Promise.resolve(1)\n}\n',
    'npx',
    lint,
    'no-floating-promises',
  ],
  [
    'file over 500 lines',
    'server/wire/planted.ts',
    `${'export const planted = 1\n'.repeat(1)}${'// more\n\nvoid 0\n'.repeat(300)}`,
    'npx',
    lint,
    'max-lines',
  ],
  [
    'database in a component',
    'components/planted.tsx',
    "import { openDatabase } from '@/db/client'\n\nexport const planted = openDatabase\n",
    'npx',
    lint,
    'no-restricted-imports',
  ],
  ['format', 'server/wire/planted.ts', 'export const planted   = 1;\n', 'npx', ['oxfmt', '--check'], 'planted.ts'],
  [
    'boundary',
    'server/wire/planted.ts',
    "import { newId } from '@/server/platform/ids'\n\nexport const planted = newId\n",
    'node',
    ['scripts/check-boundaries.mjs'],
    'server/wire may import only',
  ],
  [
    'phone meets device',
    'server/phone/planted.ts',
    "import { runShell } from '@/server/device/adb/run-shell'\n\nexport const planted = runShell\n",
    'node',
    ['scripts/check-boundaries.mjs'],
    'server/phone may import only',
  ],
  [
    'database outside a store',
    'server/device/planted.ts',
    "import { openDatabase } from '@/db/client'\n\nexport const planted = openDatabase\n",
    'node',
    ['scripts/check-boundaries.mjs'],
    'only stores see the database',
  ],
  [
    'unused code',
    'server/wire/planted.ts',
    'export const planted = 1\n',
    'npx',
    ['knip', '--no-progress'],
    'planted.ts',
  ],
] as const)('%s is refused', (_kind, file, text, command, args, message) => {
  withPlanted(file, text, () => {
    // The linter is given the planted file alone: the whole tree takes it seconds each time.
    const { code, output } = gate(command, args === lint ? [...args, file] : [...args])
    expect(output).toContain(message)
    expect(code).not.toBe(0)
  })
})

test('the boundary gate refuses to look at nothing', () => {
  const { code, output } = gate('bash', [
    '-c',
    'rm -rf empty && mkdir -p empty/scripts && cp -r scripts/check-boundaries.mjs scripts/boundaries.json empty/scripts/ && ln -sfn ../node_modules empty/node_modules && cd empty && git init -q && node scripts/check-boundaries.mjs',
  ])
  expect(output).toContain('no files to look at')
  expect(code).not.toBe(0)
})
