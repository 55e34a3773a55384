import { type ChildProcess, spawn } from 'node:child_process'
import type { Logger } from '../log'

export type ChildPlan = {
  name: string
  /** Arguments of node: the script first. */
  args: string[]
  env: NodeJS.ProcessEnv
}
export type SupervisedChild = {
  name: string
  /** Null between two lives. */
  pid(): number | null
  restart(): void
  /** SIGTERM, and SIGKILL after `killAfterMs`; resolves when it is gone and will not come back. */
  stop(killAfterMs: number): Promise<void>
}

const firstDelayMs = 250
const lastDelayMs = 10_000
const stableMs = 30_000

/** How long to wait before the next start: doubles with each early end, and starts over after 30 s of life. */
export function nextDelayMs(previousMs: number | null, livedMs: number): number {
  return previousMs === null || livedMs >= stableMs ? firstDelayMs : Math.min(previousMs * 2, lastDelayMs)
}

/** Keeps a child process running. Its output joins ours; its channel closes when we die, which it takes as a stop. */
export function superviseChild(plan: ChildPlan, log: Logger): SupervisedChild {
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | null = null
  let delayMs: number | null = null
  let isStopping = false
  let wantsRestart = false

  const start = () => {
    timer = null
    const startedAt = performance.now()
    const started = spawn(process.execPath, plan.args, {
      env: plan.env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: Ctrl-C is for us, and we stop the children in order.
      detached: true,
    })
    child = started
    const ended = (how: string) => {
      if (child !== started) return
      child = null
      if (isStopping) return
      if (wantsRestart) {
        wantsRestart = false
        start()
        return
      }
      delayMs = nextDelayMs(delayMs, performance.now() - startedAt)
      log.warn({ child: plan.name, how, delayMs }, `${plan.name} ended and is started again in ${delayMs} ms`)
      timer = setTimeout(start, delayMs)
    }
    started.once('error', (error) => ended(error.message))
    started.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`))
    log.info({ child: plan.name, childPid: started.pid }, `${plan.name} started`)
  }
  start()

  return {
    name: plan.name,
    pid: () => child?.pid ?? null,
    restart() {
      if (child === null) return
      wantsRestart = true
      child.kill('SIGTERM')
    },
    async stop(killAfterMs) {
      isStopping = true
      if (timer !== null) clearTimeout(timer)
      const running = child
      if (running === null || running.exitCode !== null || running.signalCode !== null) return
      await new Promise<void>((resolve) => {
        const killTimer = setTimeout(() => {
          log.warn({ child: plan.name }, `${plan.name} did not stop in time and is killed`)
          running.kill('SIGKILL')
        }, killAfterMs)
        running.once('exit', () => {
          clearTimeout(killTimer)
          resolve()
        })
        running.kill('SIGTERM')
      })
    },
  }
}
