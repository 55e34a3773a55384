import { BytePipe, BrokenPipeError, type ByteSink, type ByteSource } from '@/server/phone/shell/byte-pipe'
import { newSession } from '@/server/phone/shell/command'
import { runScript, type ShellStreams } from '@/server/phone/shell/evaluator'
import { programs } from '@/server/phone/shell/programs'
import type { ShellDevice } from '@/server/phone/shell/shell-device'
import { encodeShellPacket, ShellPacketParser, shellPacketIds } from '@/server/wire/adb/shell-v2'
import { runInteractiveShell } from './interactive-shell'
import type { ServiceStream } from './service-stream'

export type ShellRequest = {
  /** The script; empty for an interactive shell. */
  command: string
  /** Framed: stdin, stderr and the exit code travel apart. */
  isFramed: boolean
  isTerminal: boolean
}

/** Reads `shell:CMD`, `shell,v2,TERM=xterm,raw:CMD` and `exec:CMD`; null for any other service. */
export function parseShellRequest(service: string): ShellRequest | null {
  const match = /^(shell|exec)((?:,[^:,]*)*):(.*)$/s.exec(service)
  if (match === null) return null
  const [, kind, flags = '', command = ''] = match
  const options = flags.split(',')
  const isTerminal = kind === 'shell' && command === '' && !options.includes('raw')
  return { command, isFramed: options.includes('v2'), isTerminal }
}

/** A command may finish its work after the host has closed: `exec-in` knows no other end of its input. */
const hangUpGraceMs = 200
const maxPacketDataBytes = 65_536

/** Runs a shell on a stream until it exits or the host closes. */
export async function serveShell(request: ShellRequest, stream: ServiceStream, device: ShellDevice): Promise<void> {
  const hangUp = new AbortController()
  const onClose = () => setTimeout(() => hangUp.abort(new BrokenPipeError('hang-up')), hangUpGraceMs).unref()
  stream.signal.addEventListener('abort', onClose, { once: true })
  const streams = request.isFramed ? framedStreams(stream) : { stdin: stream, stdout: stream, stderr: stream }
  const context = { device, commands: programs, signal: hangUp.signal }
  try {
    const exitCode =
      request.command === ''
        ? await runInteractiveShell(streams, context, { isTerminal: request.isTerminal })
        : await runScript(request.command, streams, newSession(), context)
    if (request.isFramed) await stream.write(encodeShellPacket(shellPacketIds.exit, Uint8Array.of(exitCode & 0xff)))
  } finally {
    stream.signal.removeEventListener('abort', onClose)
  }
}

function framedStreams(stream: ServiceStream): ShellStreams {
  return {
    stdin: framedInput(stream),
    stdout: framedOutput(stream, shellPacketIds.stdout),
    stderr: framedOutput(stream, shellPacketIds.stderr),
  }
}

function framedInput(stream: ServiceStream): ByteSource {
  const input = new BytePipe()
  let isPumping = false
  const pump = async () => {
    const parser = new ShellPacketParser()
    try {
      for (let chunk = await stream.read(); chunk !== null; chunk = await stream.read()) {
        for (const packet of parser.push(chunk)) {
          if (packet.id === shellPacketIds.stdin) await input.write(packet.data)
          else if (packet.id === shellPacketIds.closeStdin) return
        }
      }
    } finally {
      input.closeWriter()
    }
  }
  return {
    read: () => {
      if (!isPumping) {
        isPumping = true
        // A broken packet is the end of the input: the command itself is not to blame.
        pump().catch(() => input.closeWriter())
      }
      return input.read()
    },
  }
}

function framedOutput(stream: ServiceStream, id: number): ByteSink {
  return {
    write: async (bytes) => {
      for (let at = 0; at < bytes.length; at += maxPacketDataBytes) {
        await stream.write(encodeShellPacket(id, bytes.subarray(at, at + maxPacketDataBytes)))
      }
    },
  }
}
