import type { ByteSink } from './byte-pipe'

export type FileErrorCode =
  | 'ENOENT'
  | 'EACCES'
  | 'EEXIST'
  | 'ENOTDIR'
  | 'EISDIR'
  | 'EINVAL'
  | 'EROFS'
  | 'ENOSPC'
  | 'ENOTEMPTY'
  | 'ENAMETOOLONG'

const messages: Record<FileErrorCode, string> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EEXIST: 'File exists',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EINVAL: 'Invalid argument',
  EROFS: 'Read-only file system',
  ENOSPC: 'No space left on device',
  ENOTEMPTY: 'Directory not empty',
  ENAMETOOLONG: 'File name too long',
}

/** A file operation failed; the message is the one of strerror(3). */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: FileErrorCode

  constructor(code: FileErrorCode) {
    super(messages[code])
    this.code = code
  }
}

/** `mode` with the file type, as in stat(2); `size` in bytes; `modifiedAt` in epoch ms. */
export type FileStat = {
  kind: 'file' | 'directory' | 'device'
  mode: number
  size: number
  modifiedAt: number
  inode: number
  linkCount: number
}

type FileNode = { kind: 'file'; chunks: Uint8Array[]; size: number; mode: number; modifiedAt: number; inode: number }
type DeviceNode = { kind: 'device'; mode: number; modifiedAt: number; inode: number }
type DirectoryNode = {
  kind: 'directory'
  entries: Map<string, Node>
  mode: number
  modifiedAt: number
  inode: number
  /** What a change of its entries is answered with; null when they may change. */
  refusal: 'EACCES' | 'EROFS' | null
}
type Node = FileNode | DeviceNode | DirectoryNode

const typeBits = { file: 0o100000, directory: 0o040000, device: 0o020000 }
const maxPathBytes = 1_024
const maxNameBytes = 255
const aliases = ['/storage/emulated/0', '/storage/self/primary', '/mnt/sdcard']

/**
 * The phone's files, in memory: `/sdcard` and `/data/local/tmp` can be written, the rest is there to be seen. Together they
 * hold at most `limitBytes` in `limitNodes` files and folders; past that a write fails with ENOSPC. All methods throw FileError.
 */
export class VirtualFiles {
  readonly #now: () => number
  readonly #limitBytes: number
  readonly #limitNodes: number
  readonly #root: DirectoryNode
  #usedBytes = 0
  #nodeCount = 0
  #nextInode = 1

  constructor(options: { now: () => number; programs?: readonly string[]; limitBytes?: number; limitNodes?: number }) {
    this.#now = options.now
    this.#limitBytes = options.limitBytes ?? 256 * 1_048_576
    this.#limitNodes = options.limitNodes ?? 20_000
    this.#root = this.#directory('EROFS')
    const [data, system, dev] = [this.#directory('EACCES'), this.#directory('EROFS'), this.#directory('EACCES')]
    const [local, bin, sdcard] = [this.#directory('EACCES'), this.#directory('EROFS'), this.#directory(null)]
    this.#root.entries.set('data', data).set('dev', dev).set('sdcard', sdcard).set('system', system)
    data.entries.set('local', local)
    local.entries.set('tmp', this.#directory(null))
    system.entries.set('bin', bin)
    for (const folder of ['Android', 'DCIM', 'Documents', 'Download', 'Pictures']) {
      sdcard.entries.set(folder, this.#directory(null))
    }
    dev.entries.set('null', this.#device()).set('tty', this.#device())
    for (const program of options.programs ?? []) bin.entries.set(program, this.#file(0o755))
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  get limitBytes(): number {
    return this.#limitBytes
  }

  stat(path: string): FileStat {
    return statOf(this.#find(path))
  }

  /** Null instead of an error when there is nothing at the path. */
  statIfExists(path: string): FileStat | null {
    try {
      return this.stat(path)
    } catch (error) {
      if (error instanceof FileError) return null
      throw error
    }
  }

  /** The entries of a directory by name, `.` and `..` not among them. */
  list(path: string): { name: string; stat: FileStat }[] {
    const node = this.#find(path)
    if (node.kind !== 'directory') throw new FileError('ENOTDIR')
    return [...node.entries]
      .map(([name, entry]) => ({ name, stat: statOf(entry) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  read(path: string): Uint8Array {
    const node = this.#find(path)
    if (node.kind === 'directory') throw new FileError('EISDIR')
    if (node.kind === 'device') return new Uint8Array(0)
    if (node.chunks.length !== 1) node.chunks = [Buffer.concat(node.chunks)]
    return node.chunks[0] ?? new Uint8Array(0)
  }

  /** Creates or replaces a file. `mode` are permission bits. */
  write(path: string, bytes: Uint8Array, options: { mode?: number; modifiedAt?: number } = {}): void {
    const writer = this.openWriter(path, options)
    writer.append(bytes)
    this.setAttributes(path, options)
  }

  /** Opens a file for writing: emptied first, unless `append`. Appended bytes are copied. */
  openWriter(path: string, options: { append?: boolean; mode?: number } = {}): FileWriter {
    const { parent, name } = this.#parentOf(path)
    let node = parent.entries.get(name)
    if (node?.kind === 'directory') throw new FileError('EISDIR')
    if (node?.kind === 'device') return { append: () => {}, write: () => Promise.resolve() }
    if (node === undefined) {
      node = this.#file(options.mode ?? 0o660)
      this.#insert(parent, name, node)
    } else if (parent.refusal !== null) throw new FileError(parent.refusal)
    const file = node
    if (options.append !== true) this.#truncate(file)
    const append = (bytes: Uint8Array) => {
      if (this.#usedBytes + bytes.length > this.#limitBytes) throw new FileError('ENOSPC')
      if (bytes.length === 0) return
      this.#usedBytes += bytes.length
      file.size += bytes.length
      // Not slice(): a Buffer's is a view.
      file.chunks.push(new Uint8Array(bytes))
      file.modifiedAt = this.#now()
    }
    return {
      append,
      write: async (bytes) => append(bytes),
    }
  }

  setAttributes(path: string, attributes: { mode?: number; modifiedAt?: number }): void {
    const node = this.#find(path)
    if (attributes.mode !== undefined) node.mode = attributes.mode & 0o7777
    if (attributes.modifiedAt !== undefined) node.modifiedAt = attributes.modifiedAt
  }

  /** Fails like chmod and touch where the file can't be changed. */
  checkWritable(path: string): void {
    const { parent } = this.#parentOf(path)
    if (parent.refusal !== null) throw new FileError(parent.refusal)
  }

  makeDirectory(path: string, options: { parents?: boolean } = {}): void {
    const existing = this.statIfExists(path)
    if (existing !== null) {
      if (options.parents === true && existing.kind === 'directory') return
      throw new FileError('EEXIST')
    }
    const above = parentPath(path)
    if (options.parents === true && this.statIfExists(above) === null) this.makeDirectory(above, options)
    const { parent, name } = this.#parentOf(path)
    this.#insert(parent, name, this.#directory(null))
  }

  /** Removes a file, an empty directory, or with `recursive` a whole one. */
  remove(path: string, options: { recursive?: boolean } = {}): void {
    const { parent, name } = this.#parentOf(path)
    const node = parent.entries.get(name)
    if (node === undefined) throw new FileError('ENOENT')
    if (parent.refusal !== null) throw new FileError(parent.refusal)
    if (node.kind === 'directory') {
      if (options.recursive === true) {
        for (const entry of node.entries.keys()) this.remove(`${path}/${entry}`, options)
      } else if (node.entries.size > 0) throw new FileError('ENOTEMPTY')
    }
    if (node.kind === 'file') this.#usedBytes -= node.size
    parent.entries.delete(name)
    parent.modifiedAt = this.#now()
    this.#nodeCount--
  }

  /** Moves a file or directory; an existing file at the target is replaced. */
  rename(from: string, to: string): void {
    const source = this.#parentOf(from)
    const target = this.#parentOf(to)
    const node = source.parent.entries.get(source.name)
    if (node === undefined) throw new FileError('ENOENT')
    if (source.parent.refusal !== null) throw new FileError(source.parent.refusal)
    if (target.parent.refusal !== null) throw new FileError(target.parent.refusal)
    const existing = target.parent.entries.get(target.name)
    if (existing === node) return
    if (node.kind === 'directory' && `${resolvePath(to)}/`.startsWith(`${resolvePath(from)}/`)) {
      throw new FileError('EINVAL')
    }
    if (existing !== undefined) {
      if (existing.kind === 'directory') throw new FileError(node.kind === 'directory' ? 'EEXIST' : 'EISDIR')
      this.remove(to)
    }
    source.parent.entries.delete(source.name)
    target.parent.entries.set(target.name, node)
  }

  #find(path: string): Node {
    let node: Node = this.#root
    for (const name of segmentsOf(path)) {
      if (node.kind !== 'directory') throw new FileError('ENOTDIR')
      const next = node.entries.get(name)
      if (next === undefined) throw new FileError('ENOENT')
      node = next
    }
    return node
  }

  #parentOf(path: string): { parent: DirectoryNode; name: string } {
    const name = segmentsOf(path).at(-1)
    // The root has no parent: nothing about it can change.
    if (name === undefined) throw new FileError('EISDIR')
    const parent = this.#find(parentPath(path))
    if (parent.kind !== 'directory') throw new FileError('ENOTDIR')
    return { parent, name }
  }

  #insert(parent: DirectoryNode, name: string, node: Node): void {
    if (parent.refusal !== null) throw new FileError(parent.refusal)
    if (this.#nodeCount >= this.#limitNodes) throw new FileError('ENOSPC')
    parent.entries.set(name, node)
    parent.modifiedAt = this.#now()
    this.#nodeCount++
  }

  #truncate(file: FileNode): void {
    this.#usedBytes -= file.size
    file.size = 0
    file.chunks = []
    file.modifiedAt = this.#now()
  }

  #file(mode: number): FileNode {
    return { kind: 'file', chunks: [], size: 0, mode, modifiedAt: this.#now(), inode: this.#nextInode++ }
  }

  #device(): DeviceNode {
    return { kind: 'device', mode: 0o666, modifiedAt: this.#now(), inode: this.#nextInode++ }
  }

  #directory(refusal: DirectoryNode['refusal']): DirectoryNode {
    const mode = refusal === null ? 0o771 : 0o755
    const modifiedAt = this.#now()
    return { kind: 'directory', entries: new Map(), mode, modifiedAt, inode: this.#nextInode++, refusal }
  }
}

export type FileWriter = ByteSink & {
  /** Throws FileError ENOSPC when the file system is full. */
  append(bytes: Uint8Array): void
}

/** An absolute path without `.`, `..`, doubled slashes and the other names of `/sdcard`. */
export function resolvePath(path: string, workingDirectory = '/'): string {
  const absolute = path.startsWith('/') ? path : `${workingDirectory}/${path}`
  const segments: string[] = []
  for (const segment of absolute.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const resolved = `/${segments.join('/')}`
  const alias = aliases.find((name) => resolved === name || resolved.startsWith(`${name}/`))
  return alias === undefined ? resolved : `/sdcard${resolved.slice(alias.length)}`
}

/** The last name of a path. */
export function baseName(path: string): string {
  return segmentsOf(path).at(-1) ?? '/'
}

function parentPath(path: string): string {
  return `/${segmentsOf(path).slice(0, -1).join('/')}`
}

function segmentsOf(path: string): string[] {
  if (path.includes('\0')) throw new FileError('EINVAL')
  if (Buffer.byteLength(path) > maxPathBytes) throw new FileError('ENAMETOOLONG')
  const segments = resolvePath(path)
    .split('/')
    .filter((segment) => segment !== '')
  if (segments.some((segment) => Buffer.byteLength(segment) > maxNameBytes)) throw new FileError('ENAMETOOLONG')
  return segments
}

function statOf(node: Node): FileStat {
  return {
    kind: node.kind,
    mode: typeBits[node.kind] | node.mode,
    size: node.kind === 'file' ? node.size : node.kind === 'directory' ? 4_096 : 0,
    modifiedAt: node.modifiedAt,
    inode: node.inode,
    linkCount: node.kind === 'directory' ? 2 : 1,
  }
}
