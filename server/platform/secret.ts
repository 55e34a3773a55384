import { createHmac, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TaplineError } from './errors'

/** What is read of the environment: the data folder; `configured` is the value of `TAPLINE_SECRET`. */
export type SecretSource = { dataFolder: string }

/**
 * The installation's secret: `TAPLINE_SECRET`, else the content of `<data>/secret`, made with mode 0600 at the first
 * call. Processes that start together agree on one.
 */
export async function readSecret(
  environment: SecretSource,
  configured: string | undefined = process.env['TAPLINE_SECRET'],
): Promise<string> {
  if (configured !== undefined && configured !== '') return configured
  return readOrCreateSecretFile(environment.dataFolder, 'secret')
}

/** The content of a 0600 file of 32 random bytes in hex; the first of several concurrent callers makes it. */
export async function readOrCreateSecretFile(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  const existing = await readIfPresent(path)
  if (existing !== null) return checked(path, existing)
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  try {
    // Unlike rename, link fails when someone else was first: their secret stays.
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  await chmod(path, 0o600)
  return checked(path, await readFile(path, 'utf8'))
}

function checked(path: string, content: string): string {
  const secret = content.trim()
  if (secret.length >= 16) return secret
  throw new TaplineError('internal', `${path} is damaged (shorter than 16 characters): delete it and start again.`)
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The bearer token a worker shows at the gateway; 64 hex digits, fixed for a secret. */
export function deriveAgentToken(secret: string): string {
  return createHmac('sha256', secret).update('tapline agent token').digest('hex')
}
