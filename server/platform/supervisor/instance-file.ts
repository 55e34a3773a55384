import { readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isProcessAlive } from '../machine'

const instanceSchema = z.object({
  pid: z.number().int().positive(),
  /** Where it was written: a copy of the folder is another instance. */
  dataFolder: z.string(),
  /** Where people open it, without a trailing slash. */
  url: z.url(),
  port: z.number().int(),
  gatewayPort: z.number().int(),
  phonePorts: z.array(z.number().int()),
})
/** A running Tapline, as other commands in the same folder find it. */
export type Instance = z.infer<typeof instanceSchema>

const pathOf = (dataFolder: string) => join(dataFolder, 'instance.json')

export async function writeInstance(dataFolder: string, instance: Instance): Promise<void> {
  const draft = `${pathOf(dataFolder)}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(instance, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, pathOf(dataFolder))
}

/** The instance that runs on this data folder, or null; what a dead one left behind counts as none. */
export async function readInstance(dataFolder: string): Promise<Instance | null> {
  try {
    const parsed = instanceSchema.safeParse(JSON.parse(await readFile(pathOf(dataFolder), 'utf8')))
    if (!parsed.success || parsed.data.dataFolder !== dataFolder) return null
    return isProcessAlive(parsed.data.pid) ? parsed.data : null
  } catch {
    return null
  }
}

export async function removeInstance(dataFolder: string): Promise<void> {
  await unlink(pathOf(dataFolder)).catch(() => undefined)
}
