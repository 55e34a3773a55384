import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { cruise } from 'dependency-cruiser'
import { build } from 'esbuild'

// dependency-cruiser 17 reads neither TypeScript 7 nor, with swc, JSX: it cruises a copy that esbuild has stripped of
// types, file by file. `import type` is gone there, which is what the table means by "may import".
const copy = resolve('dist/boundaries')
const ours = '(app|components|db|i18n|messages|server)/'
/** Tests may meet what production code may not: the phone and the gateway are the two ends of one wire. */
const tests = '(\\.test\\.js$|/testing/)'

const boundaries = JSON.parse(readFileSync('scripts/boundaries.json', 'utf8'))

function pattern(target) {
  if (target === '*') return `^${ours}`
  const start = target.startsWith('*/') ? `^server/.*/?${target.slice(2)}` : `^${target}`
  return start.endsWith('.ts') ? `${start.slice(0, -3)}\\.js$` : `${start}/`
}

const composing = ['server/platform', 'server/bin', 'server/seed', 'server/trpc']
const domains = Object.keys(boundaries).filter((folder) => folder.startsWith('server/') && !composing.includes(folder))

const forbidden = [
  { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
  ...Object.entries(boundaries).map(([folder, allowed]) => ({
    name: `${folder} may import only what stands below it`,
    severity: 'error',
    from: { path: `^${folder}/`, pathNot: [tests] },
    to: {
      path: `^${ours}`,
      pathNot: [`^${folder}/`, ...allowed.map(pattern), ...(domains.includes(folder) ? ['^db/'] : [])],
    },
  })),
  {
    name: 'only stores see the database',
    severity: 'error',
    from: { path: domains.map((folder) => `^${folder}/`), pathNot: [tests, '(^|/)store(\\.js$|/)'] },
    to: { path: '^db/' },
  },
  // Packages are the type checker's business.
  {
    name: 'every import of ours leads somewhere',
    severity: 'error',
    from: {},
    to: { path: '^@/', couldNotResolve: true },
  },
]

const listed = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'app', 'components', 'db', 'i18n', 'server'],
  {
    encoding: 'utf8',
  },
)
const files = listed.split('\n').filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && existsSync(file))

if (files.length === 0) {
  console.error('boundaries: no files to look at')
  process.exit(1)
}
rmSync(copy, { recursive: true, force: true })
await build({ entryPoints: files, outdir: copy, outbase: '.', format: 'esm', jsx: 'automatic', logLevel: 'error' })
for (const name of ['en', 'zh-CN']) {
  mkdirSync(join(copy, 'messages'), { recursive: true })
  writeFileSync(join(copy, `messages/${name}.json`), readFileSync(`messages/${name}.json`))
}
for (const file of files) {
  const script = join(copy, file.replace(/\.tsx?$/, '.js'))
  // Style sheets are not modules of ours.
  writeFileSync(script, readFileSync(script, 'utf8').replaceAll(/^import ".*\.css";$/gm, ''))
  mkdirSync(dirname(script), { recursive: true })
}

const { output } = await cruise(
  [...new Set(files.map((file) => file.split('/')[0]))],
  { baseDir: copy, ruleSet: { forbidden }, validate: true, doNotFollow: { path: 'node_modules' } },
  {
    alias: { '@': copy },
    extensions: ['.js', '.json'],
    conditionNames: ['import', 'node', 'browser', 'default'],
    modules: [resolve('node_modules')],
  },
)
const seen = new Set(output.modules.map((module) => module.source))
const unseen = files.filter((file) => !seen.has(file.replace(/\.tsx?$/, '.js')))
for (const violation of output.summary.violations) {
  console.error(`${violation.from} -> ${violation.to}: ${violation.rule.name}`)
}
if (unseen.length > 0) console.error(`not looked at: ${unseen.join(', ')}`)
const isClean = output.summary.violations.length === 0 && unseen.length === 0
console.log(
  `boundaries: ${seen.size} modules seen of ${files.length} files, ${output.summary.violations.length} violations`,
)
process.exit(isClean ? 0 : 1)
