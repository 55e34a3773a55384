import { readFile } from 'node:fs/promises'
import type { Adb } from '@yume-chan/adb'
import { ReadableStream } from '@yume-chan/stream-extra'
import { TaplineError } from '@/server/platform/errors'

/** Client and server must match exactly; this is the version our codecs speak. */
export const scrcpyVersion = '3.3.3'
export const serverPathOnDevice = '/data/local/tmp/scrcpy-server.jar'

/** Where the server program comes from: a virtual phone has it built in and takes any file. */
export type ServerProgram = { kind: 'built-in' } | { kind: 'file'; path: string | null }

/** Puts scrcpy's server on the device. Throws TaplineError `unavailable` that says how to get it when we have none. */
export async function pushServer(adb: Adb, program: ServerProgram): Promise<void> {
  const bytes = program.kind === 'built-in' ? Buffer.from('built in\n') : await readProgram(program.path)
  const sync = await adb.sync()
  try {
    const file = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(bytes))
        controller.close()
      },
    })
    await sync.write({ filename: serverPathOnDevice, file, permission: 0o644 })
  } finally {
    await sync.dispose()
  }
}

async function readProgram(path: string | null): Promise<Buffer> {
  if (path === null) {
    throw new TaplineError(
      'unavailable',
      `A real phone's screen needs scrcpy's server ${scrcpyVersion}: set TAPLINE_SCRCPY_SERVER to the path of that file.`,
    )
  }
  try {
    return await readFile(path)
  } catch (cause) {
    throw new TaplineError('unavailable', `TAPLINE_SCRCPY_SERVER=${path} can't be read: check the path.`, { cause })
  }
}
