import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FileError, resolvePath, VirtualFiles } from './virtual-files'

const bytes = (text: string) => Buffer.from(text, 'utf8')
const create = (limits: { limitBytes?: number; limitNodes?: number } = {}) =>
  new VirtualFiles({ now: () => 1_000, ...limits })

test.each([
  ['/a/./b//../c/', '/', '/a/c'],
  ['x', '/sdcard', '/sdcard/x'],
  ['../../..', '/sdcard/a', '/'],
  ['/storage/emulated/0/a', '/', '/sdcard/a'],
  ['/mnt/sdcard', '/', '/sdcard'],
  ['/mnt/sdcards', '/', '/mnt/sdcards'],
])('%s in %s is %s', (path, directory, expected) => {
  expect(resolvePath(path, directory)).toBe(expected)
})

describe('files', () => {
  test('are read back as they were written, appended and moved', () => {
    const files = create()
    files.write('/sdcard/a', bytes('one'), { mode: 0o644, modifiedAt: 5_000 })
    files.openWriter('/sdcard/a', { append: true }).append(bytes('two'))
    files.rename('/sdcard/a', '/data/local/tmp/b')
    expect(Buffer.from(files.read('/data/local/tmp/b')).toString()).toBe('onetwo')
    expect(files.statIfExists('/sdcard/a')).toBeNull()
    expect(files.stat('/data/local/tmp/b')).toMatchObject({ mode: 0o100644, size: 6 })
  })

  test('keep no memory of their writer', () => {
    const files = create()
    const source = bytes('abc')
    files.write('/sdcard/a', source)
    source.fill(0)
    expect(Buffer.from(files.read('/sdcard/a')).toString()).toBe('abc')
  })

  test('give their room back', () => {
    const files = create({ limitBytes: 100 })
    for (let round = 0; round < 5; round++) {
      files.makeDirectory('/sdcard/d/e', { parents: true })
      files.write('/sdcard/d/e/f', new Uint8Array(60))
      files.write('/sdcard/d/e/f', new Uint8Array(90))
      files.remove('/sdcard/d', { recursive: true })
    }
    expect(files.usedBytes).toBe(0)
  })

  test.each<[string, (files: VirtualFiles) => unknown, FileError['code']]>([
    ['a missing file', (files) => files.read('/sdcard/x'), 'ENOENT'],
    ['a directory read', (files) => files.read('/sdcard'), 'EISDIR'],
    ['a file listed', (files) => files.list('/dev/null'), 'ENOTDIR'],
    ['a file as a directory', (files) => files.stat('/dev/null/x'), 'ENOTDIR'],
    ['a write to the system', (files) => files.write('/system/x', bytes('')), 'EROFS'],
    ['a write to /data', (files) => files.write('/data/x', bytes('')), 'EACCES'],
    ['a directory twice', (files) => files.makeDirectory('/sdcard'), 'EEXIST'],
    [
      'a full directory removed',
      (files) => (files.makeDirectory('/sdcard/a/b', { parents: true }), files.remove('/sdcard/a')),
      'ENOTEMPTY',
    ],
    [
      'a directory into itself',
      (files) => (files.makeDirectory('/sdcard/a'), files.rename('/sdcard/a', '/sdcard/a/b')),
      'EINVAL',
    ],
    ['the root', (files) => files.remove('/', { recursive: true }), 'EISDIR'],
    ['a mount point', (files) => files.remove('/sdcard', { recursive: true }), 'EROFS'],
    ['a long name', (files) => files.write(`/sdcard/${'x'.repeat(256)}`, bytes('')), 'ENAMETOOLONG'],
    ['a long path', (files) => files.stat('/x'.repeat(600)), 'ENAMETOOLONG'],
    ['a NUL', (files) => files.stat('/sdcard/a\0b'), 'EINVAL'],
    ['too many bytes', (files) => files.write('/sdcard/a', new Uint8Array(101)), 'ENOSPC'],
    ['too many files', (files) => [1, 2, 3, 4].map((name) => files.write(`/sdcard/${name}`, bytes(''))), 'ENOSPC'],
  ])('%s is refused', (_, act, code) => {
    const files = create({ limitBytes: 100, limitNodes: 3 })
    let caught: unknown
    try {
      act(files)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(FileError)
    expect(caught).toMatchObject({ code })
  })

  test('any sequence of operations keeps the count of bytes right', () => {
    const path = fc.constantFrom('/sdcard/a', '/sdcard/a/b', '/sdcard/c', '/data/local/tmp/d')
    const operation = fc.oneof(
      fc.tuple(fc.constant('write' as const), path, fc.nat(50)),
      fc.tuple(fc.constant('append' as const), path, fc.nat(50)),
      fc.tuple(fc.constant('mkdir' as const), path, fc.constant(0)),
      fc.tuple(fc.constant('remove' as const), path, fc.constant(0)),
      fc.tuple(fc.constant('rename' as const), path, fc.nat(3)),
    )
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const files = create({ limitBytes: 200, limitNodes: 5 })
        for (const [kind, at, number] of operations) {
          try {
            if (kind === 'write') files.write(at, new Uint8Array(number))
            else if (kind === 'append') files.openWriter(at, { append: true }).append(new Uint8Array(number))
            else if (kind === 'mkdir') files.makeDirectory(at, { parents: true })
            else if (kind === 'remove') files.remove(at, { recursive: true })
            else files.rename(at, `/sdcard/${number}`)
          } catch (error) {
            expect(error).toBeInstanceOf(FileError)
          }
        }
        expect(files.usedBytes).toBe(sizeOf(files, '/'))
        expect(files.usedBytes).toBeLessThanOrEqual(200)
      }),
    )
  })
})

function sizeOf(files: VirtualFiles, path: string): number {
  return files.list(path).reduce((sum, { name, stat }) => {
    if (stat.kind === 'directory') return sum + sizeOf(files, `${path}/${name}`)
    return sum + stat.size
  }, 0)
}
