import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedPlace } from '../place.ts'
import { backUp, type BackupKeys, isUnfinishedBackup } from './back-up.ts'
import { MANIFEST } from './manifest.ts'

export interface BackupPlan extends BackupKeys {
  readonly dataDir: string
  readonly folder: string
  /** Number of daily backups to retain; 0 disables automatic backups. */
  readonly keep: number
}

const DAY_MS = 24 * 3600_000
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

export const backupName = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

export const backupsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => NAME.test(name) && existsSync(join(folder, name, MANIFEST)))
        .toSorted()
    : []

/** Creates a backup if the last backup is a day old, or if there is no backup and the database is a day old. */
export async function backUpDaily({ dataDir, folder, keep, ...keys }: BackupPlan, now: Date): Promise<void> {
  const names = backupsIn(folder)
  const last = names.at(-1)
  const since =
    last === undefined
      ? statSync(join(embeddedPlace(dataDir).cluster, 'PG_VERSION')).mtimeMs
      : Date.parse(last.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
  if (now.getTime() - since < DAY_MS) return
  // Incomplete folders belong to processes that died, because `backUp` refuses to start while another backup is in
  // progress. The folders are listed before the new backup starts.
  const incomplete = existsSync(folder) ? readdirSync(folder).filter((name) => isIncomplete(folder, name)) : []
  await backUp(dataDir, join(folder, backupName(now)), keys)
  for (const name of incomplete) remove(folder, name)
  for (const name of backupsIn(folder).slice(0, -keep)) remove(folder, name)
}

/**
 * Returns true for an unfinished backup. Earlier versions did not mark unfinished backups, so the name is checked as
 * well.
 */
const isIncomplete = (folder: string, name: string): boolean =>
  name.endsWith('.part') && (NAME.test(name.slice(0, -'.part'.length)) || isUnfinishedBackup(join(folder, name)))

const remove = (folder: string, name: string): void => rmSync(join(folder, name), { recursive: true, force: true })
