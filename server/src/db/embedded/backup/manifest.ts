import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A backup's own description, its file `backup.json`: written last, so that a folder without one is none. */
export interface Manifest {
  /** PostgreSQL's major version, which alone can start what is in it. */
  readonly postgres: string
  /** Every change that was acknowledged before this instant is in it. */
  readonly until: string
  readonly files: readonly ManifestFile[]
}

export interface ManifestFile {
  /** Below PostgreSQL's data folder. */
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
    throw new NoBackup(`${folder} is no backup that came to its end: its ${MANIFEST} can't be read.`, { cause: error })
  }
}

/** A sentence for people about a backup that can't be made or used. */
export class NoBackup extends Error {
  override readonly name = 'NoBackup'
}
