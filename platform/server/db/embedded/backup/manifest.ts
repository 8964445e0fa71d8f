import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Content of `backup.json`. The file is written last, so a folder without the file is not a complete backup. */
export interface Manifest {
  /** Major version of PostgreSQL. Only this version can start the backup. */
  readonly postgres: string
  /** The backup contains every change that was acknowledged before this time. */
  readonly until: string
  /** IDs of the installation's keys, which decrypt the stored secrets. Backups of earlier versions have no IDs. */
  readonly keys?: readonly string[]
  /** age recipient for which all files except `backup.json` are encrypted; absent: the backup is not encrypted. */
  readonly encryptedFor?: string
  readonly files: readonly ManifestFile[]
}

export interface ManifestFile {
  /** Path relative to PostgreSQL's data folder. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** Additional file name extension of an encrypted file. */
export const ENCRYPTED = '.age'

export const MANIFEST = 'backup.json'
export const CLUSTER = 'postgres'

/** @throws NoBackup */
export function readManifest(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest
  } catch (error) {
    throw new NoBackup(`${folder} is not a complete backup: its ${MANIFEST} cannot be read.`, { cause: error })
  }
}

export class NoBackup extends Error {
  override readonly name = 'NoBackup'
}
