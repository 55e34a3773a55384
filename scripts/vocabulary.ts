export type SourceFile = { path: string; text: string }
export type VocabularyFault = { path: string; fault: string }

/** File names with a meaning of their own in every domain. */
const known = new Set(['contract', 'store', 'router', 'http', 'jobs', 'errors', 'env', 'log', 'client'])
const banned = new Set(['index', 'utils', 'util', 'helpers', 'helper', 'lib', 'common', 'misc', 'types'])

/** Lower-case words of a kebab- or camel-case name, without plural endings. */
function words(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split('-')
    .map((word) => word.replace(/s$/, ''))
}

function isNamedAfter(exported: string, file: string): boolean {
  const own = words(exported)
  return words(file).some((word) => own.some((other) => other === word || (other.length > 3 && word.startsWith(other))))
}

/** What of a domain's files breaks the closed vocabulary; tests and process entries are left out. */
export function findVocabularyFaults(sources: SourceFile[]): VocabularyFault[] {
  const faults: VocabularyFault[] = []
  for (const { path, text } of sources) {
    const segments = path.split('/')
    const name = (segments.at(-1) ?? '').replace(/\.tsx?$/, '')
    if (/\.test$/.test(name) || path.startsWith('server/bin/') || segments.includes('testing')) continue
    const report = (fault: string) => faults.push({ path, fault })
    if (segments.some((segment) => banned.has(segment.replace(/\.tsx?$/, '')))) report('barrel or catch-all name')
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) report('not kebab-case')
    if (/^export default /m.test(text)) report('default export')
    if (known.has(name) || segments.includes('store') || segments.includes('model')) continue
    const exported = [
      ...text.matchAll(/^export (?:async )?(?:function\*?|const|class|type|abstract class) (\w+)/gm),
    ].map((match) => String(match[1]))
    // A file of several exports may be named after what they have in common (`annex-b`, `theme`).
    const [only] = exported
    if (exported.length === 1 && only !== undefined && !isNamedAfter(only, name))
      report('exports nothing named after it')
  }
  return faults
}
