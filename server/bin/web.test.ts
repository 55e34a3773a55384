import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { cloneFolder } from '@/server/platform/clone-folder'

test('the web server carries nothing of the phone, the devices or the harness', async () => {
  const { metafile } = await build({
    absWorkingDir: cloneFolder(),
    entryPoints: ['server/bin/web.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    write: false,
  })
  const rooms = new Set(Object.keys(metafile.inputs).map((path) => path.split('/').slice(0, 2).join('/')))
  expect(rooms).toContain('server/platform')
  expect(
    [...rooms].filter((room) => !['server/bin', 'server/platform', 'db/client.ts', 'db/schema'].includes(room)),
  ).toEqual([])
})
