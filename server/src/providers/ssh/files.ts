import type { Client, SFTPWrapper, Stats } from 'ssh2'
import {
  type FileFacts,
  type FilesConnector,
  MachineFileError,
  type MachineFiles,
  type OpenFile,
} from '../machine-files.ts'
import { ShellError } from '../shell.ts'
import { dial } from './dial.ts'
import { logIn } from './shells.ts'

const PATIENCE_MS = 30_000
/** Bytes that every server accepts in one request. Source: draft-ietf-secsh-filexfer-02, section 3. */
const IN_ONE_REQUEST = 32 * 1024
const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3
const END_OF_FILE = 1

type Answer<T> = (error: (Error & { code?: number }) | null | undefined, value?: T) => void

/** @param proxy URL of an HTTP proxy to the machines; null: direct */
export const sftpFiles = ({ proxy }: { readonly proxy: string | null }): FilesConnector => ({
  async open(target, signal) {
    const { default: ssh2 } = await import('ssh2')
    const sock = await dial(target.address, proxy, signal)
    const client = new ssh2.Client()
    const stop = () => client.destroy()
    signal.addEventListener('abort', stop, { once: true })
    client.once('close', () => signal.removeEventListener('abort', stop))
    try {
      await logIn(client, target, sock)
      const sftp = await asked<SFTPWrapper>(client, (answer) => client.sftp(answer))
      return filesBy(client, sftp)
    } catch (error) {
      client.destroy()
      throw error instanceof MachineFileError
        ? new ShellError('unreachable', `Cannot open the files of ${target.address}: ${error.message}`, { cause: error })
        : error
    }
  },
})

/** Sends one request. A refusal, a timeout and a closed connection all reject with MachineFileError. */
function asked<T>(client: Client, ask: (answer: Answer<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(patience)
      client.removeListener('close', gone)
    }
    const fail = (kind: MachineFileError['kind'], cause: Error) => {
      settle()
      reject(new MachineFileError(kind, cause.message, { cause }))
    }
    const gone = () => fail('lost', new Error('the connection was closed'))
    const patience = setTimeout(() => {
      client.destroy()
      fail('lost', new Error('no response'))
    }, PATIENCE_MS)
    client.setMaxListeners(0).once('close', gone)
    const answer: Answer<T> = (error, value) => {
      if (!error) {
        settle()
        resolve(value as T)
        return
      }
      fail(error.code === NO_SUCH_FILE ? 'absent' : error.code === PERMISSION_DENIED ? 'denied' : 'failed', error)
    }
    try {
      ask(answer)
    } catch (error) {
      // ssh2 throws for extended requests that the server did not announce.
      answer(error as Error)
    }
  })
}

function filesBy(client: Client, sftp: SFTPWrapper): MachineFiles {
  let closed = false
  client.once('close', () => (closed = true))
  // The client emits 'close' only once, so a later request would never settle.
  const ask = <T>(does: (answer: Answer<T>) => void) =>
    closed ? Promise.reject(new MachineFileError('lost', 'The connection is closed.')) : asked<T>(client, does)
  return {
    whole: (path) => ask<string>((answer) => sftp.realpath(path, answer)),
    facts: async (path) => factsOf(await ask<Stats>((answer) => sftp.stat(path, answer))),
    async list(path, most) {
      const handle = await ask<Buffer>((answer) => sftp.opendir(path, answer))
      const entries: Awaited<ReturnType<MachineFiles['list']>>['entries'] = []
      try {
        for (;;) {
          // ssh2 omits `.` and `..`.
          const next = await ask<{ filename: string; attrs: Stats }[]>((answer) => sftp.readdir(handle, answer)).catch(
            (error: MachineFileError) => {
              if ((error.cause as { code?: number }).code === END_OF_FILE) return []
              throw error
            },
          )
          if (!Array.isArray(next) || next.length === 0) return { entries, more: false }
          for (const { filename, attrs } of next) {
            if (entries.length === most) return { entries, more: true }
            entries.push({ name: filename, ...factsOf(attrs) })
          }
        }
      } finally {
        await ask((answer) => sftp.close(handle, answer)).catch(() => {})
      }
    },
    async open(path, how) {
      const flags = { read: 'r', make: 'w', change: 'r+' } as const
      return openFile(ask, sftp, await ask<Buffer>((answer) => sftp.open(path, flags[how], answer)))
    },
    async rename(from, to, replace) {
      if (replace) {
        // OpenSSH's extension replaces the file atomically; without it the file is briefly absent.
        try {
          return await ask((answer) => sftp.ext_openssh_rename(from, to, answer))
        } catch {
          await ask((answer) => sftp.unlink(to, answer)).catch(() => {})
        }
      }
      await ask((answer) => sftp.rename(from, to, answer))
    },
    remove: (path) => ask((answer) => sftp.unlink(path, answer)),
    close: () => client.destroy(),
  }
}

function openFile(
  ask: <T>(does: (answer: Answer<T>) => void) => Promise<T>,
  sftp: SFTPWrapper,
  handle: Buffer,
): OpenFile {
  return {
    async read(at, length) {
      const bytes = Buffer.allocUnsafe(length)
      const read = await ask<number>((answer) => sftp.read(handle, bytes, 0, length, at, answer as never)).catch(
        (error: MachineFileError) => {
          if ((error.cause as { code?: number }).code === END_OF_FILE) return 0
          throw error
        },
      )
      return bytes.subarray(0, read)
    },
    async write(at, bytes) {
      const parts: Promise<void>[] = []
      for (let from = 0; from < bytes.length; from += IN_ONE_REQUEST) {
        const length = Math.min(IN_ONE_REQUEST, bytes.length - from)
        parts.push(ask((answer) => sftp.write(handle, bytes, from, length, at + from, answer as never)))
      }
      await Promise.all(parts)
    },
    facts: async () => factsOf(await ask<Stats>((answer) => sftp.fstat(handle, answer))),
    close: () => ask((answer) => sftp.close(handle, answer)),
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
