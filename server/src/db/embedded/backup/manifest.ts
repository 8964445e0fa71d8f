import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `backup.json`, written last, so that a folder without it is not a backup. */
export interface Manifest {
  /** Only this major version can start the backup. */
  readonly postgres: string
  /** The backup contains every change that was acknowledged before this time. */
  readonly until: string
  /** IDs of the keys of the installation, which decrypt its stored secrets. Absent in backups of earlier versions. */
  readonly keys?: readonly string[]
  /** The age recipient that all files but this one are encrypted for; absent: not encrypted. */
  readonly encryptedFor?: string
  readonly files: readonly ManifestFile[]
}

export interface ManifestFile {
  /** Relative to PostgreSQL's data folder. */
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
