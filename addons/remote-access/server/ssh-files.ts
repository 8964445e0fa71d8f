import type { Client, SFTPWrapper, Stats } from 'ssh2'
import {
  type FileFacts,
  type FilesConnector,
  MachineFileError,
  type FileConnection,
  type OpenFile,
} from './machine-files.ts'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import type { Routes } from '@trainyard/templates/server/machine-address.ts'
import { connectAccount } from './shells.ts'

const TIMEOUT_MS = 30_000
/** Bytes that every server accepts in one request. Source: draft-ietf-secsh-filexfer-02, section 3. */
const MAX_REQUEST_BYTES = 32 * 1024
const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3
const END_OF_FILE = 1

type Callback<T> = (error: (Error & { code?: number }) | null | undefined, value?: T) => void

export const sftpFiles = (routes: Routes): FilesConnector => ({
  async open(target, signal) {
    const client = await connectAccount(target, routes, signal)
    try {
      const sftp = await sendRequest<SFTPWrapper>(client, (callback) => client.sftp(callback))
      return fileConnection(client, sftp)
    } catch (error) {
      client.destroy()
      throw error instanceof MachineFileError
        ? new ShellError('unreachable', `Cannot open the files of ${target.address}: ${error.message}`, {
            cause: error,
          })
        : error
    }
  },
})

function sendRequest<T>(client: Client, send: (callback: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timeout)
      client.removeListener('close', onClose)
    }
    const fail = (kind: MachineFileError['kind'], cause: Error) => {
      settle()
      reject(new MachineFileError(kind, cause.message, { cause }))
    }
    const onClose = () => fail('lost', new Error('the connection was closed'))
    const timeout = setTimeout(() => {
      client.destroy()
      fail('lost', new Error('no response'))
    }, TIMEOUT_MS)
    client.setMaxListeners(0).once('close', onClose)
    const callback: Callback<T> = (error, value) => {
      if (!error) {
        settle()
        resolve(value as T)
        return
      }
      fail(error.code === NO_SUCH_FILE ? 'absent' : error.code === PERMISSION_DENIED ? 'denied' : 'failed', error)
    }
    try {
      send(callback)
    } catch (error) {
      // ssh2 throws for extended requests that the server did not announce.
      callback(error as Error)
    }
  })
}

function fileConnection(client: Client, sftp: SFTPWrapper): FileConnection {
  let closed = false
  client.once('close', () => (closed = true))
  // The client emits 'close' only once. Without this check, a later request would never settle.
  const send = <T>(request: (callback: Callback<T>) => void) =>
    closed ? Promise.reject(new MachineFileError('lost', 'The connection is closed.')) : sendRequest<T>(client, request)
  return {
    resolvePath: (path) => send<string>((callback) => sftp.realpath(path, callback)),
    facts: async (path) => factsOf(await send<Stats>((callback) => sftp.stat(path, callback))),
    async list(path, most) {
      const handle = await send<Buffer>((callback) => sftp.opendir(path, callback))
      const entries: Awaited<ReturnType<FileConnection['list']>>['entries'] = []
      try {
        for (;;) {
          // ssh2 omits `.` and `..`.
          const next = await send<{ filename: string; attrs: Stats }[]>((callback) =>
            sftp.readdir(handle, callback),
          ).catch((error: MachineFileError) => {
            if ((error.cause as { code?: number }).code === END_OF_FILE) return []
            throw error
          })
          if (!Array.isArray(next) || next.length === 0) return { entries, more: false }
          for (const { filename, attrs } of next) {
            if (entries.length === most) return { entries, more: true }
            entries.push({ name: filename, ...factsOf(attrs) })
          }
        }
      } finally {
        await send((callback) => sftp.close(handle, callback)).catch(() => {})
      }
    },
    async open(path, how) {
      const flags = { read: 'r', make: 'w', change: 'r+' } as const
      return openFile(send, sftp, await send<Buffer>((callback) => sftp.open(path, flags[how], callback)))
    },
    async rename(from, to, replace) {
      if (replace) {
        // OpenSSH's extension replaces the file atomically. Without it, the file is absent for a moment.
        try {
          return await send((callback) => sftp.ext_openssh_rename(from, to, callback))
        } catch {
          await send((callback) => sftp.unlink(to, callback)).catch(() => {})
        }
      }
      await send((callback) => sftp.rename(from, to, callback))
    },
    remove: (path) => send((callback) => sftp.unlink(path, callback)),
    close: () => client.destroy(),
  }
}

function openFile(
  send: <T>(request: (callback: Callback<T>) => void) => Promise<T>,
  sftp: SFTPWrapper,
  handle: Buffer,
): OpenFile {
  return {
    async read(at, length) {
      const bytes = Buffer.allocUnsafe(length)
      const read = await send<number>((callback) => sftp.read(handle, bytes, 0, length, at, callback as never)).catch(
        (error: MachineFileError) => {
          if ((error.cause as { code?: number }).code === END_OF_FILE) return 0
          throw error
        },
      )
      return bytes.subarray(0, read)
    },
    async write(at, bytes) {
      const parts: Promise<void>[] = []
      for (let from = 0; from < bytes.length; from += MAX_REQUEST_BYTES) {
        const length = Math.min(MAX_REQUEST_BYTES, bytes.length - from)
        parts.push(send((callback) => sftp.write(handle, bytes, from, length, at + from, callback as never)))
      }
      await Promise.all(parts)
    },
    facts: async () => factsOf(await send<Stats>((callback) => sftp.fstat(handle, callback))),
    close: () => send((callback) => sftp.close(handle, callback)),
  }
}

/** Attributes in a listing contain only the mode. Source: POSIX, the file type in st_mode. */
function factsOf({ mode, size, mtime }: Pick<Stats, 'mode' | 'size' | 'mtime'>): FileFacts {
  const type = mode & 0o170000
  return {
    kind: type === 0o100000 ? 'file' : type === 0o040000 ? 'folder' : 'other',
    size,
    changedAt: new Date(mtime * 1000),
  }
}
