import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { TaplineError } from '../errors'
import { newId } from '../ids'

/** Where a data folder's own Postgres lives; kept in `<data>/postgres.json`, mode 0600. */
const placementSchema = z.object({
  id: z.uuid(),
  /** The data folder when this was written: tells a moved folder from a copied one. */
  dataFolder: z.string(),
  /** Holds `data` and `server.log`; null until it was chosen. */
  folder: z.string().nullable(),
  port: z.number().int().min(0).max(65_535),
  password: z.string().min(16),
})
export type Placement = z.infer<typeof placementSchema>

const superuser = 'tapline'
export const databaseName = 'tapline'

/** The address of a database on that server. */
export function urlOf(placement: Pick<Placement, 'port' | 'password'>, database = databaseName): string {
  return `postgres://${superuser}:${placement.password}@127.0.0.1:${placement.port}/${database}`
}

export { superuser }

/** The recorded placement, or null. Throws `internal` when the file is damaged. */
export async function readPlacement(dataFolder: string): Promise<Placement | null> {
  const path = join(dataFolder, 'postgres.json')
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return placementSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new TaplineError(
      'internal',
      `${path} is damaged: restore it, or delete it to start with an empty database.`,
      {
        cause,
      },
    )
  }
}

export async function writePlacement(dataFolder: string, placement: Placement): Promise<void> {
  const path = join(dataFolder, 'postgres.json')
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, JSON.stringify(placement, null, 2), { mode: 0o600, flag: 'wx' })
  await rename(draft, path)
}

/**
 * The data folder's placement, made when there is none. A data folder that was copied along with its clone gets a
 * database of its own; one that was moved keeps its database.
 */
export async function takePlacement(dataFolder: string): Promise<Placement> {
  await mkdir(dataFolder, { recursive: true, mode: 0o711 })
  const found = await readPlacement(dataFolder)
  if (found !== null && found.dataFolder === dataFolder) return found
  if (found !== null && !(await isPlacementOf(found.dataFolder, found.id))) {
    const inside = found.folder === join(found.dataFolder, 'postgres')
    const moved = { ...found, dataFolder, folder: inside ? join(dataFolder, 'postgres') : found.folder }
    await writePlacement(dataFolder, moved)
    return moved
  }
  if (found?.folder != null) await setAside(dataFolder)
  const fresh = { id: newId(), dataFolder, folder: null, port: 0, password: randomBytes(24).toString('hex') }
  await writePlacement(dataFolder, fresh)
  await chmod(join(dataFolder, 'postgres.json'), 0o600)
  return fresh
}

async function isPlacementOf(dataFolder: string, id: string): Promise<boolean> {
  const other = await readPlacement(dataFolder).catch(() => null)
  return other?.id === id
}

/** Files copied from a running server can't be trusted: they are kept, but not used. */
async function setAside(dataFolder: string): Promise<void> {
  const copied = join(dataFolder, 'postgres')
  if (await stat(copied).catch(() => null)) await rename(copied, `${copied}.copied-${Date.now()}`)
}
