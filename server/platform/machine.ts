import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names the process table of this process: the boot and, on Linux, the pid namespace (a container has its own). */
export function machineId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return `host/${hostname()}`
  }
}

/** Whether a process of this machine exists (it may belong to someone else). */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
