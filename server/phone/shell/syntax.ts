/** A piece of a word. What is quoted is neither split at blanks nor matched against file names. */
export type WordPart =
  | { kind: 'text'; text: string; isQuoted: boolean }
  /** `$NAME`, or `${NAME:-fallback}`. */
  | { kind: 'variable'; name: string; fallback: string | null; isQuoted: boolean }
  /** The script inside `$(…)` or backquotes. */
  | { kind: 'substitution'; source: string; isQuoted: boolean }

export type Word = readonly WordPart[]

export type Redirection =
  | { kind: 'read' | 'write' | 'append'; descriptor: number; target: Word }
  /** `2>&1`: `descriptor` becomes what `source` is. */
  | { kind: 'duplicate'; descriptor: number; source: number }

export type Command =
  | { kind: 'simple'; assignments: { name: string; value: Word }[]; words: Word[]; redirections: Redirection[] }
  /** `( … )` runs in a copy of the shell, `{ …; }` in the shell itself. */
  | { kind: 'group'; isSubshell: boolean; body: CommandList; redirections: Redirection[] }
  | {
      kind: 'if'
      branches: { condition: CommandList; body: CommandList }[]
      otherwise: CommandList | null
      redirections: Redirection[]
    }
  | { kind: 'loop'; isUntil: boolean; condition: CommandList; body: CommandList; redirections: Redirection[] }
  | { kind: 'for'; variable: string; words: Word[]; body: CommandList; redirections: Redirection[] }

export type Pipeline = { commands: Command[]; isNegated: boolean }

/** `when` tells on which status of the one before a pipeline runs. */
export type CommandList = { pipeline: Pipeline; when: 'always' | 'success' | 'failure' }[]

/** The script is not one. The sentence is what a shell prints after its own name. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError'
}
