import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isProcessAlive } from '../machine'

/** Who holds a lock: the pid, or 0 when that can't be read. */
export type LockHolder = { pid: number }

/**
 * Takes the lock file, or returns its living holder. The lock of a dead process is taken over. `release` gives it back.
 */
export async function takePidLock(path: string): Promise<{ release(): Promise<void> } | LockHolder> {
  await mkdir(dirname(path), { recursive: true })
  for (let attempt = 0; ; attempt++) {
    try {
      await writeFile(path, `${process.pid}\n`, { flag: 'wx' })
      return { release: () => unlink(path).catch(() => undefined) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const pid = Number((await readFile(path, 'utf8').catch(() => '')).trim())
    if (attempt >= 5 || (pid > 0 && pid !== process.pid && isProcessAlive(pid))) return { pid }
    await unlink(path).catch(() => undefined)
  }
}
