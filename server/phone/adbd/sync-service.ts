import { FileError, type FileStat, type VirtualFiles } from '@/server/phone/shell/virtual-files'
import {
  encodeData,
  encodeDent,
  encodeDent2,
  encodeDirectoryEnd,
  encodeDone,
  encodeFail,
  encodeOkay,
  encodeStat,
  encodeStat2,
  syncErrors,
  syncMaxDataBytes,
  SyncRequestParser,
  type SyncRequest,
} from '@/server/wire/adb/sync'
import { WireError } from '@/server/wire/wire-error'
import type { ServiceStream } from './service-stream'

const fileType = { mask: 0o170000, regular: 0o100000, symbolicLink: 0o120000 }
const shellUserId = 2_000

/** A file on its way from the host; what goes wrong is told once the host has sent everything, as adbd does. */
type Upload = { path: string; mode: number; append(bytes: Uint8Array): void; failure: string | null }

/** adb's file service on the phone's files, until the host says QUIT or closes. */
export async function serveSync(stream: ServiceStream, files: VirtualFiles): Promise<void> {
  const parser = new SyncRequestParser()
  let upload: Upload | null = null
  for (let chunk = await stream.read(); chunk !== null; chunk = await stream.read()) {
    let requests: SyncRequest[]
    try {
      requests = parser.push(chunk)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      await stream.write(encodeFail(error.message))
      return
    }
    for (const request of requests) {
      if (request.type === 'quit') return
      if (request.type === 'send') upload = startUpload(request.path, request.mode, files)
      else if (request.type === 'data') receive(upload, request.bytes)
      else if (request.type === 'done') {
        await stream.write(finishUpload(upload, request.modifiedAt, files))
        upload = null
      } else await answer(request, stream, files)
    }
  }
}

function startUpload(path: string, mode: number, files: VirtualFiles): Upload {
  const upload: Upload = { path, mode: mode & 0o777, append: () => {}, failure: null }
  const type = mode & fileType.mask
  if (type !== 0 && type !== fileType.regular) {
    const kind = type === fileType.symbolicLink ? 'symbolic links' : 'special files'
    upload.failure = `couldn't create file: ${kind} are not supported`
    return upload
  }
  try {
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
    if (folder !== '') files.makeDirectory(folder, { parents: true })
    upload.append = files.openWriter(path, { mode: upload.mode }).append
  } catch (error) {
    upload.failure = `couldn't create file: ${messageOf(error)}`
  }
  return upload
}

function receive(upload: Upload | null, bytes: Uint8Array): void {
  if (upload === null || upload.failure !== null) return
  try {
    upload.append(bytes)
  } catch (error) {
    upload.failure = `write failed: ${messageOf(error)}`
  }
}

function finishUpload(upload: Upload | null, modifiedAt: number, files: VirtualFiles): Uint8Array {
  if (upload === null) return encodeFail('DONE without SEND')
  try {
    if (upload.failure === null) {
      files.setAttributes(upload.path, { mode: upload.mode, modifiedAt: modifiedAt * 1_000 })
      return encodeOkay()
    }
    // Half a file is worse than none.
    if (files.statIfExists(upload.path)?.kind === 'file') files.remove(upload.path)
    return encodeFail(upload.failure)
  } catch (error) {
    return encodeFail(upload.failure ?? messageOf(error))
  }
}

async function answer(
  request: Extract<SyncRequest, { type: 'stat' | 'stat2' | 'lstat2' | 'list' | 'list2' | 'recv' }>,
  stream: ServiceStream,
  files: VirtualFiles,
): Promise<void> {
  const { type, path } = request
  switch (type) {
    case 'stat': {
      const stat = files.statIfExists(path)
      return stream.write(encodeStat(stat === null ? { mode: 0, size: 0, modifiedAt: 0 } : fieldsOf(stat)))
    }
    case 'stat2':
    case 'lstat2':
      return stream.write(encodeStat2(stat2Of(path, files), type))
    case 'list':
    case 'list2': {
      const encode = type === 'list' ? encodeDent : encodeDent2
      for (const { name, stat } of listOf(path, files)) await stream.write(encode({ ...fieldsOf(stat), name }))
      return stream.write(encodeDirectoryEnd(type))
    }
    case 'recv':
      return sendFile(path, stream, files)
    default:
      throw new WireError(`unknown sync request ${String(type satisfies never)}`)
  }
}

async function sendFile(path: string, stream: ServiceStream, files: VirtualFiles): Promise<void> {
  let bytes: Uint8Array
  try {
    bytes = files.read(path)
  } catch (error) {
    return stream.write(encodeFail(`open failed: ${messageOf(error)}`))
  }
  for (let at = 0; at < bytes.length; at += syncMaxDataBytes) {
    await stream.write(encodeData(bytes.subarray(at, at + syncMaxDataBytes)))
  }
  return stream.write(encodeDone())
}

/** As in adbd, what is no directory has no entries. */
function listOf(path: string, files: VirtualFiles): { name: string; stat: FileStat }[] {
  return files.statIfExists(path)?.kind === 'directory' ? files.list(path) : []
}

function stat2Of(path: string, files: VirtualFiles): Parameters<typeof encodeStat2>[0] {
  try {
    return fieldsOf(files.stat(path))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const code = error.code === 'ENOTDIR' || error.code === 'EINVAL' ? error.code : 'ENOENT'
    return { mode: 0, size: 0, modifiedAt: 0, error: syncErrors[code] }
  }
}

function fieldsOf(stat: FileStat) {
  return {
    mode: stat.mode,
    size: stat.size,
    modifiedAt: Math.floor(stat.modifiedAt / 1_000),
    inode: BigInt(stat.inode),
    device: 1n,
    linkCount: stat.linkCount,
    userId: shellUserId,
    groupId: shellUserId,
  }
}

function messageOf(error: unknown): string {
  if (error instanceof FileError) return error.message
  throw error
}
