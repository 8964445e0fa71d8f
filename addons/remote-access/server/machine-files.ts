import type { ShellTarget } from './shell.ts'

/** Reason why a file operation on a machine failed. `lost`: the connection was closed. */
export type FileErrorKind = 'absent' | 'denied' | 'failed' | 'lost'

export class MachineFileError extends Error {
  override readonly name = 'MachineFileError'
  readonly kind: FileErrorKind

  constructor(kind: FileErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly changedAt: Date
}

export interface OpenFile {
  /** Returns at most `length` bytes; an empty buffer at the end of the file. */
  read(at: number, length: number): Promise<Buffer>
  write(at: number, bytes: Buffer): Promise<void>
  facts(): Promise<FileFacts>
  close(): Promise<void>
}

export interface FileConnection {
  resolvePath(path: string): Promise<string>
  facts(path: string): Promise<FileFacts>
  list(path: string, max: number): Promise<{ entries: ({ readonly name: string } & FileFacts)[]; more: boolean }>
  /** Opens a file. `make` creates the file or empties an existing file. `change` requires an existing file. */
  open(path: string, how: 'read' | 'make' | 'change'): Promise<OpenFile>
  /** @param replace false: throws if the target exists */
  rename(from: string, to: string, replace: boolean): Promise<void>
  remove(path: string): Promise<void>
  close(): void
}

export interface FilesConnector {
  open(target: ShellTarget, signal: AbortSignal): Promise<FileConnection>
}
