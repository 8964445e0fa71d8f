import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2'
import type { Computer } from './shell/computer.ts'
import { Content } from './shell/content.ts'
import { type Entry, type File, FileError, resolvePath } from './shell/files.ts'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

type Handle =
  | { readonly kind: 'file'; readonly file: File; readonly mode: number }
  | { readonly kind: 'folder'; entries: [string, Entry][] }

/** Limits of OpenSSH per packet: bytes of a file and number of names. Source: sftp-server.c of OpenSSH portable. */
const MAX_READ = 256 * 1024
const NAMES_AT_ONCE = 100
const MAX_HANDLES = 100

/** Status codes of file errors. All others are a general failure, as in OpenSSH. */
const CODES: Readonly<Record<string, number>> = {
  'No such file or directory': STATUS_CODE.NO_SUCH_FILE,
  'Permission denied': STATUS_CODE.PERMISSION_DENIED,
}

/**
 * Version 3 (https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02). As in OpenSSH, a rename never
 * overwrites and requests are answered in order.
 */
export function serveSftp(sftp: SFTPWrapper, computer: Computer): void {
  const { files, home } = computer
  const handles = new Map<string, Handle>()
  let handleCount = 0

  const absolutePath = (path: string) => resolvePath(home, path, home)
  const requireEntry = (path: string): Entry => {
    const entry = files.find(absolutePath(path))
    if (entry === undefined) throw new FileError('No such file or directory')
    return entry
  }
  /** Lists a folder, starting with itself and its parent, as on a disk. */
  const listWithParents = (path: string): [string, Entry][] => [
    ['.', requireEntry(path)],
    ['..', requireEntry(`${path}/..`)],
    ...files.list(absolutePath(path)),
  ]
  const writablePath = (path: string): string => {
    const target = absolutePath(path)
    if (![home, '/tmp'].some((writable) => target.startsWith(`${writable}/`))) throw new FileError('Permission denied')
    return target
  }
  const addHandle = (request: number, handle: Handle) => {
    if (handles.size >= MAX_HANDLES) throw new FileError('Too many open files')
    const name = String((handleCount += 1))
    handles.set(name, handle)
    sftp.handle(request, Buffer.from(name))
  }
  const handleOf = <K extends Handle['kind']>(name: Buffer, kind: K): Extract<Handle, { kind: K }> => {
    const handle = handles.get(name.toString())
    if (handle?.kind !== kind) throw new FileError('Invalid handle')
    return handle as Extract<Handle, { kind: K }>
  }
  const openFile = (path: string, mode: number): File => {
    const target = mode & OPEN_MODE.WRITE ? writablePath(path) : absolutePath(path)
    const entry = files.find(target)
    if (entry?.kind === 'folder') throw new FileError('Is a directory')
    if (entry !== undefined && mode & OPEN_MODE.EXCL) throw new FileError('File exists')
    if (entry === undefined) {
      if (!(mode & OPEN_MODE.CREAT)) throw new FileError('No such file or directory')
      files.write(target, '')
      return files.find(target) as File
    }
    if (mode & OPEN_MODE.TRUNC) entry.content = new Content()
    return entry
  }

  const respond = (request: number, run: () => void) => {
    try {
      run()
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      sftp.status(request, CODES[error.message] ?? STATUS_CODE.FAILURE, error.message)
    }
  }
  const runWithStatus = (request: number, run: () => void) =>
    respond(request, () => {
      run()
      sftp.status(request, STATUS_CODE.OK)
    })

  sftp.on('OPEN', (request, path, mode) =>
    respond(request, () => addHandle(request, { kind: 'file', file: openFile(path, mode), mode })),
  )
  sftp.on('READ', (request, name, offset, length) =>
    respond(request, () => {
      const { content } = handleOf(name, 'file').file
      if (offset >= content.size) sftp.status(request, STATUS_CODE.EOF)
      else sftp.data(request, content.read(offset, Math.min(length, MAX_READ)))
    }),
  )
  sftp.on('WRITE', (request, name, offset, bytes) =>
    runWithStatus(request, () => {
      const { file, mode } = handleOf(name, 'file')
      if (!(mode & OPEN_MODE.WRITE)) throw new FileError('Permission denied')
      files.writeUpload(file, mode & OPEN_MODE.APPEND ? file.content.size : offset, bytes)
    }),
  )
  sftp.on('FSTAT', (request, name) =>
    respond(request, () => sftp.attrs(request, attributes(handleOf(name, 'file').file))),
  )
  for (const kind of ['STAT', 'LSTAT'] as const) {
    sftp.on(kind, (request: number, path: string) =>
      respond(request, () => sftp.attrs(request, attributes(requireEntry(path)))),
    )
  }
  sftp.on('SETSTAT', (request, path) => runWithStatus(request, () => void writablePath(path)))
  sftp.on('FSETSTAT', (request, name, attrs) =>
    runWithStatus(request, () => {
      const { file, mode } = handleOf(name, 'file')
      if (!(mode & OPEN_MODE.WRITE)) throw new FileError('Permission denied')
      if (attrs.size !== undefined) file.content.truncate(attrs.size)
    }),
  )
  sftp.on('OPENDIR', (request, path) =>
    respond(request, () => addHandle(request, { kind: 'folder', entries: listWithParents(path) })),
  )
  sftp.on('READDIR', (request, name) =>
    respond(request, () => {
      const folder = handleOf(name, 'folder')
      const next = folder.entries.splice(0, NAMES_AT_ONCE)
      if (next.length === 0) {
        sftp.status(request, STATUS_CODE.EOF)
        return
      }
      sftp.name(
        request,
        next.map(([filename, entry]) => ({ filename, longname: filename, attrs: attributes(entry) })),
      )
    }),
  )
  sftp.on('CLOSE', (request, name) =>
    runWithStatus(request, () => {
      if (!handles.delete(name.toString())) throw new FileError('Invalid handle')
    }),
  )
  sftp.on('REALPATH', (request, path) => {
    const filename = absolutePath(path)
    sftp.name(request, [{ filename, longname: filename, attrs: {} as Attributes }])
  })
  sftp.on('MKDIR', (request, path) => runWithStatus(request, () => files.makeFolder(writablePath(path))))
  sftp.on('RENAME', (request, from, to) =>
    runWithStatus(request, () => files.rename(writablePath(from), writablePath(to))),
  )
  sftp.on('REMOVE', (request, path) =>
    runWithStatus(request, () => {
      if (requireEntry(path).kind === 'folder') throw new FileError('Is a directory')
      files.remove(writablePath(path))
    }),
  )
}

const ACCOUNT = 1_000

function attributes(entry: Entry): Attributes {
  const changedAt = Math.floor(entry.changedAt / 1000)
  const size = entry.kind === 'file' ? entry.content.size : 4096
  return {
    mode: entry.kind === 'file' ? 0o100644 : 0o040755,
    uid: ACCOUNT,
    gid: ACCOUNT,
    size,
    atime: changedAt,
    mtime: changedAt,
  }
}
