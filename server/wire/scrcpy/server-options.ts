import { WireError } from '@/server/wire/wire-error'

/** `version` is checked by the server against its own; `options` as in scrcpy's `Options.java`, snake_case names. */
export type ServerCommand = { version: string; options: Record<string, string> }

const serverClass = 'com.genymobile.scrcpy.Server'
const optionPattern = /^([a-z][a-z0-9_]*)=(.*)$/s

/**
 * Reads the shell command that starts scrcpy's server:
 * `CLASSPATH=… app_process / com.genymobile.scrcpy.Server <version> key=value…`. Quotes and backslashes are read as a
 * shell does. Returns null for any other command, also when an argument after the version is not `key=value`.
 */
export function parseServerCommand(command: string): ServerCommand | null {
  const words = splitWords(command)
  if (words === null || words[0]?.startsWith('CLASSPATH=') !== true) return null
  const program = words.indexOf('app_process')
  if (program === -1 || !words.slice(0, program).every((word) => /^[A-Za-z_]\w*=/.test(word))) return null
  // app_process takes options (-D…) before its directory.
  const directory = words.findIndex((word, index) => index > program && !word.startsWith('-'))
  if (directory === -1 || words[directory + 1] !== serverClass) return null
  const version = words[directory + 2]
  if (version === undefined || !/^\d+(\.\d+)+/.test(version)) return null
  const options: [string, string][] = []
  for (const word of words.slice(directory + 3)) {
    const [, key, value] = optionPattern.exec(word) ?? []
    if (key === undefined || value === undefined) return null
    options.push([key, value])
  }
  return { version, options: Object.fromEntries(options) }
}

/**
 * Returns the arguments behind the class name: the version, then `key=value` in the order given. They are safe to join
 * with blanks: throws WireError for a character that a shell would read.
 */
export function formatServerArguments(command: ServerCommand): string[] {
  return [command.version, ...Object.entries(command.options).map(([key, value]) => `${key}=${value}`)].map(
    (argument, index) => {
      if (!/^[\w.,:=@/+-]+$/.test(argument) || (index > 0 && !optionPattern.test(argument))) {
        throw new WireError(`scrcpy server argument ${JSON.stringify(argument)} is not allowed`)
      }
      return argument
    },
  )
}

/** The words of a simple shell command, or null when a quote stays open or the command goes on (`;`, `|`, `&`…). */
function splitWords(command: string): string[] | null {
  const words: string[] = []
  let rest = command.trim()
  while (rest !== '') {
    const word = /^(?:[^\s'"\\;|&<>()`$]|\\.|'[^']*'|"(?:[^"\\`$]|\\.)*")+/s.exec(rest)?.[0]
    if (word === undefined) return null
    rest = rest.slice(word.length)
    if (rest !== '' && !/^[ \t]/.test(rest)) return null
    words.push(unquote(word))
    rest = rest.replace(/^[ \t]+/, '')
  }
  return words
}

function unquote(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_, single?: string, double?: string, escaped?: string) => {
      return single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? escaped ?? ''
    },
  )
}
