import type { BackupStore } from './store.ts'

/** Name of the task that makes automatic backups. */
export const BACKUP_TASK = 'back up the database'

/** Weeks and months whose last backup is retained, in addition to the days. */
const WEEKS = 4
const MONTHS = 12

const NAME = /^trainyard-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)\.backup$/

export const backupName = (at: Date): string => `${nameAt(at)}.backup`

/** Name of a backup made by command, which never expires. */
export const manualName = (at: Date): string => `${nameAt(at)}-manual.backup`

/** Name of the backup made before an upgrade, which never expires. */
export const upgradeName = (from: string, to: string, at: Date): string => `${nameAt(at)}-${from}-before-${to}.backup`

/** Returns true for the name of an automatic backup or of one made before an upgrade. */
export const isAutomatic = (name: string): boolean =>
  timeIn(name) !== null || /^trainyard-.*-before-.*\.backup$/.test(name)

const nameAt = (at: Date): string => `trainyard-${at.toISOString().replaceAll(/[:.]/g, '-')}`

/** Returns the time in the name of an automatic backup; null for other files. */
export function timeIn(name: string): Date | null {
  const [, hour, minutes, seconds, rest] = NAME.exec(name) ?? []
  return hour === undefined ? null : new Date(`${hour}:${minutes}:${seconds}.${rest}`)
}

export const backupsIn = async (store: BackupStore): Promise<string[]> =>
  (await store.list()).filter((name) => timeIn(name) !== null).toSorted()

/**
 * Returns the backups that may be deleted: all but the last one of each of the last `days` days, 4 weeks and 12 months
 * that have a backup.
 */
export function expiredBackups(names: readonly string[], days: number): string[] {
  const newestFirst = names
    .filter((name) => timeIn(name) !== null)
    .toSorted()
    .toReversed()
  const lastOfEach = (periodOf: (at: Date) => string, count: number): string[] =>
    [...new Map(newestFirst.toReversed().map((name) => [periodOf(timeIn(name)!), name])).values()]
      .toSorted()
      .slice(-count)
  const kept = new Set([
    ...lastOfEach(dayOf, days),
    ...lastOfEach(weekOf, WEEKS),
    ...lastOfEach((at) => dayOf(at).slice(0, 7), MONTHS),
  ])
  return newestFirst.filter((name) => !kept.has(name))
}

const DAY_MS = 24 * 3600_000
const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
/** Returns the Monday of the week. */
const weekOf = (at: Date): string => dayOf(new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS))
