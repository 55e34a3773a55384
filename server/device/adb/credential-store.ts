import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdbCredentialStore, AdbPrivateKey } from '@yume-chan/adb'
import { z } from 'zod'
import { TaplineError } from '@/server/platform/errors'

const keyName = 'tapline'
const keyFile = z.object({ version: z.literal(1), pkcs8: z.base64() })

/**
 * The RSA key that devices know us by: `<data>/adb-key.json` with mode 0600, made at the first device that asks for one.
 * Without a folder the key lives as long as the store.
 */
export function createCredentialStore(dataFolder?: string): AdbCredentialStore {
  let known: AdbPrivateKey | null = null
  const path = dataFolder === undefined ? null : join(dataFolder, 'adb-key.json')
  return {
    async *iterateKeys() {
      known ??= path === null ? null : await readKey(path)
      if (known !== null) yield known
    },
    async generateKey() {
      const pkcs8 = await generatePkcs8()
      known = { buffer: pkcs8, name: keyName }
      // Another process may have been first: then its key is the one devices get to know.
      if (dataFolder !== undefined && path !== null) known = await keepKey(dataFolder, path, pkcs8)
      return known
    },
  }
}

async function generatePkcs8(): Promise<Uint8Array> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-1',
  }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  return new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
}

async function keepKey(folder: string, path: string, pkcs8: Uint8Array): Promise<AdbPrivateKey> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const content = JSON.stringify({ version: 1, pkcs8: Buffer.from(pkcs8).toString('base64') })
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return (await readKey(path)) ?? { buffer: pkcs8, name: keyName }
}

async function readKey(path: string): Promise<AdbPrivateKey | null> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return { buffer: new Uint8Array(Buffer.from(keyFile.parse(JSON.parse(content)).pkcs8, 'base64')), name: keyName }
  } catch (cause) {
    throw new TaplineError('internal', `${path} is not an adb key: delete it, then allow the new key on each device.`, {
      cause,
    })
  }
}
