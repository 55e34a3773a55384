import { BrokenPipeError, ByteCollector, BytePipe, emptySource, type ByteSink, type ByteSource } from './byte-pipe'
import { CommandError, print, ShellExit, type CommandCall, type ShellCommand, type ShellSession } from './command'
import { expandToText, expandWord, type Expansion } from './expand'
import { parseScript } from './parser'
import type { ShellDevice } from './shell-device'
import { ShellSyntaxError, type Command, type CommandList, type Pipeline, type Redirection } from './syntax'
import { FileError, resolvePath } from './virtual-files'

export type ShellStreams = { stdin: ByteSource; stdout: ByteSink; stderr: ByteSink }

/** A shell's surroundings; `commands` are the programs of `/system/bin` by name. */
export type ShellContext = {
  device: ShellDevice
  commands: ReadonlyMap<string, ShellCommand>
  signal: AbortSignal
}

const shellName = '/system/bin/sh'
const maxScriptDepth = 16
const maxLoopTurns = 10_000
const exitCodes = { syntax: 1, notExecutable: 126, notFound: 127, killed: 137, brokenPipe: 141 }

/**
 * Runs a script and returns its exit code (that of `exit`, else of its last command). Everything that goes wrong inside is
 * written to stderr and becomes an exit code; it rejects only for a defect of ours. The session keeps variables and directory.
 */
export async function runScript(
  script: string,
  streams: ShellStreams,
  session: ShellSession,
  context: ShellContext,
): Promise<number> {
  try {
    return await evaluate(script, streams, session, context)
  } catch (error) {
    if (error instanceof ShellExit) return error.exitCode
    if (error instanceof BrokenPipeError) return exitCodes.brokenPipe
    if (context.signal.aborted) return exitCodes.killed
    throw error
  }
}

/** As `runScript`, but lets ShellExit through, so that an interactive shell knows of `exit`. */
export async function evaluate(
  script: string,
  streams: ShellStreams,
  session: ShellSession,
  context: ShellContext,
): Promise<number> {
  let list: CommandList
  try {
    list = parseScript(script)
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error
    await print(streams.stderr, `${shellName}: ${error.message}\n`)
    session.status = exitCodes.syntax
    return session.status
  }
  return new Evaluator(session, context).list(list, streams)
}

class Evaluator {
  readonly #session: ShellSession
  readonly #context: ShellContext

  constructor(session: ShellSession, context: ShellContext) {
    this.#session = session
    this.#context = context
  }

  async list(list: CommandList, streams: ShellStreams): Promise<number> {
    for (const { pipeline, when } of list) {
      this.#context.signal.throwIfAborted()
      const isWanted = when === 'always' || (when === 'success') === (this.#session.status === 0)
      if (isWanted) this.#session.status = await this.#pipeline(pipeline, streams)
    }
    return this.#session.status
  }

  async #pipeline(pipeline: Pipeline, streams: ShellStreams): Promise<number> {
    const status = await this.#stages(pipeline.commands, streams)
    return pipeline.isNegated ? Number(status === 0) : status
  }

  async #stages(commands: Command[], streams: ShellStreams): Promise<number> {
    const [only] = commands
    if (commands.length === 1 && only !== undefined) return this.#command(only, streams)
    let input = streams.stdin
    const stages = commands.map(async (command, index) => {
      const isLast = index === commands.length - 1
      const stdin = input
      const pipe = isLast ? null : new BytePipe()
      if (pipe !== null) input = pipe
      // Each stage is a subshell: its `cd` and `exit` are its own.
      const stage = new Evaluator(copySession(this.#session), this.#context)
      try {
        return await stage.#command(command, { ...streams, stdin, stdout: pipe ?? streams.stdout })
      } catch (error) {
        if (error instanceof ShellExit) return error.exitCode
        if (error instanceof BrokenPipeError) return exitCodes.brokenPipe
        throw error
      } finally {
        pipe?.closeWriter()
        if (index > 0 && stdin instanceof BytePipe) stdin.closeReader()
      }
    })
    const statuses = await Promise.all(stages)
    return statuses.at(-1) ?? 0
  }

  async #command(command: Command, outer: ShellStreams): Promise<number> {
    try {
      const streams = await this.#redirect(command.redirections, outer)
      switch (command.kind) {
        case 'simple':
          return await this.#simple(command, streams, outer)
        case 'group':
          return await this.#group(command, streams)
        case 'if':
          return await this.#if(command, streams)
        case 'loop':
          return await this.#loop(command, streams)
        case 'for':
          return await this.#for(command, streams)
        default:
          throw new Error(`unknown command ${JSON.stringify(command satisfies never)}`)
      }
    } catch (error) {
      if (!(error instanceof CommandError) && !(error instanceof FileError)) throw error
      await print(outer.stderr, `${shellName}: ${error.message}\n`)
      return 1
    }
  }

  async #group(command: Command & { kind: 'group' }, streams: ShellStreams): Promise<number> {
    if (!command.isSubshell) return this.list(command.body, streams)
    try {
      return await new Evaluator(copySession(this.#session), this.#context).list(command.body, streams)
    } catch (error) {
      if (error instanceof ShellExit) return error.exitCode
      throw error
    }
  }

  async #if(command: Command & { kind: 'if' }, streams: ShellStreams): Promise<number> {
    for (const { condition, body } of command.branches) {
      if ((await this.list(condition, streams)) === 0) return this.#body(body, streams)
    }
    return command.otherwise === null ? 0 : this.#body(command.otherwise, streams)
  }

  async #loop(command: Command & { kind: 'loop' }, streams: ShellStreams): Promise<number> {
    let status = 0
    for (let turn = 0; ((await this.list(command.condition, streams)) !== 0) === command.isUntil; turn++) {
      if (turn >= maxLoopTurns) throw new CommandError(`loop: stopped after ${maxLoopTurns} turns`)
      status = await this.#body(command.body, streams)
      // Lets the phone do something else between turns that never wait.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return status
  }

  async #for(command: Command & { kind: 'for' }, streams: ShellStreams): Promise<number> {
    let status = 0
    for (const word of command.words) {
      for (const value of await expandWord(word, this.#expansion(streams))) {
        this.#session.variables.set(command.variable, value)
        status = await this.#body(command.body, streams)
      }
    }
    return status
  }

  async #body(body: CommandList, streams: ShellStreams): Promise<number> {
    this.#session.status = 0
    return this.list(body, streams)
  }

  async #simple(command: Command & { kind: 'simple' }, streams: ShellStreams, outer: ShellStreams): Promise<number> {
    const expansion = this.#expansion(outer)
    const fields: string[] = []
    const statusBefore = this.#session.status
    for (const word of command.words) fields.push(...(await expandWord(word, expansion)))
    const [name, ...args] = fields
    if (name === undefined) {
      // Only assignments: they stay, and the status is that of the last substitution.
      this.#session.status = 0
      for (const { name: variable, value } of command.assignments) {
        this.#session.variables.set(variable, await expandToText(value, expansion))
      }
      return this.#session.status
    }
    this.#session.status = statusBefore
    if (command.assignments.length === 0) return this.#run(name, args, streams, this.#session)
    const scoped = copySession(this.#session)
    for (const { name: variable, value } of command.assignments) {
      scoped.variables.set(variable, await expandToText(value, expansion))
      scoped.exported.add(variable)
    }
    return this.#run(name, args, streams, scoped)
  }

  async #run(name: string, args: string[], streams: ShellStreams, session: ShellSession): Promise<number> {
    const { device, signal, commands } = this.#context
    if (name === 'exec') {
      const [program, ...rest] = args
      if (program === undefined) return 0
      throw new ShellExit(await this.#run(program, rest, streams, session))
    }
    const call: CommandCall = {
      name,
      args,
      stdin: streams.stdin,
      stdout: streams.stdout,
      stderr: streams.stderr,
      session,
      device,
      signal,
      runScript: (script, inner, parameters) => this.#nested(script, inner, parameters),
    }
    try {
      const command = commands.get(/^(?:\/(?:system|vendor)\/x?bin\/|\/bin\/)?([^/]+)$/.exec(name)?.[1] ?? '')
      if (command !== undefined) return await command(call)
      if (!name.includes('/')) return await notFound(streams.stderr, name)
      return await this.#scriptFile(name, call)
    } catch (error) {
      if (error instanceof CommandError || error instanceof FileError) {
        await print(streams.stderr, `${name}: ${error.message}\n`)
        return error instanceof CommandError ? error.exitCode : 1
      }
      throw error
    }
  }

  async #scriptFile(name: string, call: CommandCall): Promise<number> {
    const path = resolvePath(name, this.#session.workingDirectory)
    const stat = call.device.files.statIfExists(path)
    if (stat === null) return notFound(call.stderr, name)
    if (stat.kind !== 'file' || (stat.mode & 0o111) === 0) {
      await print(call.stderr, `${shellName}: ${name}: can't execute: Permission denied\n`)
      return exitCodes.notExecutable
    }
    return this.#nested(Buffer.from(call.device.files.read(path)).toString('utf8'), call, [name, ...call.args])
  }

  /** A script in a shell of its own, with this one's exported variables. */
  async #nested(script: string, call: CommandCall, parameters: readonly string[]): Promise<number> {
    if (call.session.depth >= maxScriptDepth) throw new CommandError('scripts are nested too deeply')
    const session = { ...copySession(call.session), parameters, depth: call.session.depth + 1 }
    for (const variable of session.variables.keys()) {
      if (!session.exported.has(variable)) session.variables.delete(variable)
    }
    try {
      return await evaluate(script, call, session, this.#context)
    } catch (error) {
      if (error instanceof ShellExit) return error.exitCode
      throw error
    }
  }

  async #redirect(redirections: readonly Redirection[], outer: ShellStreams): Promise<ShellStreams> {
    const streams = { ...outer }
    for (const redirection of redirections) {
      if (redirection.kind === 'duplicate') {
        const source = redirection.source === 2 ? streams.stderr : streams.stdout
        if (redirection.descriptor === 2) streams.stderr = source
        else if (redirection.descriptor === 1) streams.stdout = source
        continue
      }
      const target = await expandToText(redirection.target, this.#expansion(outer))
      const path = resolvePath(target, this.#session.workingDirectory)
      try {
        if (redirection.kind === 'read') {
          streams.stdin = target === '/dev/tty' ? outer.stdin : sourceOf(this.#context.device.files.read(path))
          continue
        }
        const isTerminal = path === '/dev/tty'
        const writer = this.#context.device.files.openWriter(path, { append: redirection.kind === 'append' })
        if (redirection.descriptor === 2) streams.stderr = isTerminal ? outer.stdout : writer
        else if (redirection.descriptor === 1) streams.stdout = isTerminal ? outer.stdout : writer
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        const verb = redirection.kind === 'read' ? "can't open" : "can't create"
        throw new CommandError(`${verb} ${target}: ${error.message}`)
      }
    }
    return streams
  }

  #expansion(streams: ShellStreams): Expansion {
    const { device } = this.#context
    return {
      files: device.files,
      workingDirectory: this.#session.workingDirectory,
      variable: (name) => this.#variable(name),
      substitute: (source) => this.#substitute(source, streams),
    }
  }

  #variable(name: string): string | undefined {
    const session = this.#session
    switch (name) {
      case '?':
        return String(session.status)
      case '$':
        return '1000'
      case '#':
        return String(session.parameters.length - 1)
      case '@':
      case '*':
        return session.parameters.slice(1).join(' ')
      case 'PWD':
        return session.workingDirectory
      default:
        return /^\d$/.test(name) ? session.parameters[Number(name)] : session.variables.get(name)
    }
  }

  async #substitute(source: string, streams: ShellStreams): Promise<string> {
    if (this.#session.depth >= maxScriptDepth) throw new CommandError('substitutions are nested too deeply')
    const output = new ByteCollector()
    const session = { ...copySession(this.#session), depth: this.#session.depth + 1 }
    const inner = { stdin: emptySource, stdout: output, stderr: streams.stderr }
    try {
      this.#session.status = await evaluate(source, inner, session, this.#context)
    } catch (error) {
      if (error instanceof ShellExit) this.#session.status = error.exitCode
      else if (error instanceof BrokenPipeError) throw new CommandError('substitution: too much output')
      else throw error
    }
    return output.text().replaceAll('\0', '').replace(/\n+$/, '')
  }
}

async function notFound(stderr: ByteSink, name: string): Promise<number> {
  await print(stderr, `${shellName}: ${name}: not found\n`)
  return exitCodes.notFound
}

function copySession(session: ShellSession): ShellSession {
  return { ...session, variables: new Map(session.variables), exported: new Set(session.exported) }
}

function sourceOf(bytes: Uint8Array): ByteSource {
  let isRead = false
  return {
    read: () => {
      const chunk = isRead || bytes.length === 0 ? null : bytes
      isRead = true
      return Promise.resolve(chunk)
    },
  }
}
