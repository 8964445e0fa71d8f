import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Description of a backup, in its file `backup.json`. Written last, so that a folder without it is not a backup. */
export interface Manifest {
  /** Major version of PostgreSQL. Only that version can start the backup. */
  readonly postgres: string
  /** The backup contains every change acknowledged before this time. */
  readonly until: string
  readonly files: readonly ManifestFile[]
}

export interface ManifestFile {
  /** Relative to PostgreSQL's data folder. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

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

/** A backup cannot be made or used. The message says why. */
export class NoBackup extends Error {
  override readonly name = 'NoBackup'
}
