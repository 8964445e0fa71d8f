import type { ShellTarget } from './shell.ts'

/** Why a machine does not do something with a file. */
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
  /** Answers no more than is asked for; nothing at the end. */
  read(at: number, length: number): Promise<Buffer>
  write(at: number, bytes: Buffer): Promise<void>
  facts(): Promise<FileFacts>
  close(): Promise<void>
}

/** The disk of one machine, with the rights of the account that was logged in. All throw MachineFileError. */
export interface MachineFiles {
  /** The whole path of one that may be relative to the account's home. */
  whole(path: string): Promise<string>
  facts(path: string): Promise<FileFacts>
  list(path: string, most: number): Promise<{ entries: ({ readonly name: string } & FileFacts)[]; more: boolean }>
  /** `make` empties what is there; `change` takes only what is there. */
  open(path: string, how: 'read' | 'make' | 'change'): Promise<OpenFile>
  /** @param replace false: throws where something stands there already */
  rename(from: string, to: string, replace: boolean): Promise<void>
  remove(path: string): Promise<void>
  close(): void
}

/** Reaches the files of Linux machines. */
export interface FilesConnector {
  /** @throws ShellError */
  open(target: ShellTarget, signal: AbortSignal): Promise<MachineFiles>
}
