import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deriveAgentToken, readSecret } from './secret'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'tapline-secret-'))))
afterEach(() => rm(folder, { recursive: true }))

test('callers that start together agree on one secret, kept for later, for the owner alone', async () => {
  const dataFolder = join(folder, 'new')
  const secrets = await Promise.all([1, 2, 3, 4, 5].map(() => readSecret({ dataFolder }, undefined)))
  expect(new Set(secrets).size).toBe(1)
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(await readSecret({ dataFolder }, undefined)).toBe(secrets[0])
  expect((await stat(join(dataFolder, 'secret'))).mode & 0o777).toBe(0o600)
})

test('a configured secret wins and nothing is written', async () => {
  expect(await readSecret({ dataFolder: folder }, 'configured secret')).toBe('configured secret')
  await expect(stat(join(folder, 'secret'))).rejects.toThrow('ENOENT')
})

test('a damaged file is named', async () => {
  await writeFile(join(folder, 'secret'), '')
  await expect(readSecret({ dataFolder: folder }, undefined)).rejects.toThrow(join(folder, 'secret'))
})

test('the agent token follows from the secret and does not show it', () => {
  const token = deriveAgentToken('a secret')
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(deriveAgentToken('a secret')).toBe(token)
  expect(deriveAgentToken('b secret')).not.toBe(token)
})
