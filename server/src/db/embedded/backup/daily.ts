import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedPlace } from '../place.ts'
import { backUp } from './back-up.ts'
import { MANIFEST } from './manifest.ts'

export interface BackupPlan {
  readonly dataDir: string
  /** Folder that backups stand in, each named by its instant. */
  readonly folder: string
  /** Backups that are kept; 0: none is made by itself. */
  readonly keep: number
}

const DAY_MS = 24 * 3600_000
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

export const backupName = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** Backups that came to their end, the oldest first. */
export const backupsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => NAME.test(name) && existsSync(join(folder, name, MANIFEST)))
        .toSorted()
    : []

/** Makes a backup once the last one, or the database where there is none, is a day old; removes those over `keep`. */
export async function backUpDaily({ dataDir, folder, keep }: BackupPlan, now: Date): Promise<void> {
  const names = backupsIn(folder)
  const last = names.at(-1)
  const since =
    last === undefined
      ? statSync(join(embeddedPlace(dataDir).cluster, 'PG_VERSION')).mtimeMs
      : Date.parse(last.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
  if (now.getTime() - since < DAY_MS) return
  // Each of these was left by somebody who died: else this backup is refused. One begun meanwhile is not among them.
  const halves = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.part')) : []
  await backUp(dataDir, join(folder, backupName(now)))
  for (const name of halves) remove(folder, name)
  for (const name of backupsIn(folder).slice(0, -keep)) remove(folder, name)
}

const remove = (folder: string, name: string): void => rmSync(join(folder, name), { recursive: true, force: true })
