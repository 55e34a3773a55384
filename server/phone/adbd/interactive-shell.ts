import { readAll, BrokenPipeError, type ByteSink, type ByteSource } from '@/server/phone/shell/byte-pipe'
import { newSession, print, ShellExit } from '@/server/phone/shell/command'
import { evaluate, runScript, type ShellContext, type ShellStreams } from '@/server/phone/shell/evaluator'

const maxScriptBytes = 1_048_576
const maxLineLength = 65_536
const prompt = '$ '

/** A shell without a command: a script from stdin, or on a terminal a prompt for each line. Returns the exit code. */
export async function runInteractiveShell(
  streams: ShellStreams,
  context: ShellContext,
  options: { isTerminal: boolean },
): Promise<number> {
  const session = newSession()
  if (!options.isTerminal) {
    const script = (await readAll(streams.stdin, maxScriptBytes)).toString('utf8')
    return runScript(script, streams, session, context)
  }
  const stdout = terminalOutput(streams.stdout)
  const lines = new TerminalLines(streams.stdin, stdout)
  const terminal = { stdin: lines, stdout, stderr: terminalOutput(streams.stderr) }
  for (;;) {
    await print(stdout, prompt)
    const line = await lines.readLine()
    if (line === null) return session.status
    try {
      await evaluate(line, terminal, session, context)
    } catch (error) {
      if (error instanceof ShellExit) return error.exitCode
      if (!(error instanceof BrokenPipeError) || context.signal.aborted) throw error
    }
  }
}

/** The host's terminal is raw: the device ends lines with CR LF. */
function terminalOutput(sink: ByteSink): ByteSink {
  return { write: (bytes) => print(sink, Buffer.from(bytes).toString('utf8').replaceAll(/\r?\n/g, '\r\n')) }
}

/** Lines typed on a raw terminal, echoed; backspace takes a character back, ^C the line, ^D ends. */
class TerminalLines implements ByteSource {
  readonly #source: ByteSource
  readonly #echo: ByteSink
  readonly #decoder = new TextDecoder()
  #typed = ''

  constructor(source: ByteSource, echo: ByteSink) {
    this.#source = source
    this.#echo = echo
  }

  /** What a command reads: the next line. */
  async read(): Promise<Uint8Array | null> {
    const line = await this.readLine()
    return line === null ? null : Buffer.from(`${line}\n`, 'utf8')
  }

  async readLine(): Promise<string | null> {
    let line: string[] = []
    for (;;) {
      for (const [index, character] of [...this.#typed].entries()) {
        if (character === '\r' || character === '\n') {
          this.#typed = [...this.#typed].slice(index + 1).join('')
          await print(this.#echo, '\n')
          return line.join('')
        }
        if (character === '\x04' && line.length === 0) {
          this.#typed = ''
          return null
        }
        if (character === '\x03') {
          line = []
          await print(this.#echo, `^C\n${prompt}`)
        } else if (character === '\x7f' || character === '\b') {
          if (line.pop() !== undefined) await print(this.#echo, '\b \b')
        } else if (character >= ' ' && line.length < maxLineLength) {
          line.push(character)
          await print(this.#echo, character)
        }
      }
      this.#typed = ''
      const chunk = await this.#source.read()
      if (chunk === null) return line.length === 0 ? null : line.join('')
      this.#typed = this.#decoder.decode(chunk, { stream: true })
    }
  }
}
