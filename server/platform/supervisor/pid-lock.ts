import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isProcessAlive } from '../machine'

/** Who holds a lock: the pid, or 0 when that can't be read. */
export type LockHolder = { pid: number }

/**
 * Takes the lock file, or returns its living holder. The lock of a dead process is taken over,
 * and so is one that was copied here with its folder. `release` gives it back.
 */
export async function takePidLock(path: string): Promise<{ release(): Promise<void> } | LockHolder> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, `${process.pid}\n${path}\n`)
  try {
    return await linkDraft(draft, path)
  } finally {
    await unlink(draft)
  }
}

async function linkDraft(draft: string, path: string): Promise<{ release(): Promise<void> } | LockHolder> {
  for (let attempt = 0; ; attempt++) {
    try {
      // Linked when written, so that nobody reads an empty one.
      await link(draft, path)
      return { release: () => unlink(path).catch(() => undefined) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const [holder, home] = (await readFile(path, 'utf8').catch(() => '')).split('\n')
    const pid = Number(holder)
    const isHeld = pid > 0 && pid !== process.pid && home === path && isProcessAlive(pid)
    if (isHeld || attempt >= 5) return { pid }
    await unlink(path).catch(() => undefined)
  }
}

/** Takes the lock as soon as its holder has given it back or died; rejects when the signal aborts before that. */
export async function waitForPidLock(path: string, signal: AbortSignal): Promise<{ release(): Promise<void> }> {
  for (;;) {
    signal.throwIfAborted()
    const lock = await takePidLock(path)
    if (!('pid' in lock)) return lock
    await delay(100, undefined, { signal })
  }
}
