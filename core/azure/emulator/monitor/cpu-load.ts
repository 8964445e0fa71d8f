import type { AzureCloud } from '../cloud.ts'

/** CPU load of a machine: the number of lines run in its shells, and the load set by the control endpoint. */
export const processorTables = `
CREATE TABLE IF NOT EXISTS shell_line (
  uid TEXT NOT NULL,
  minute INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (uid, minute)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS processor_set (
  uid TEXT NOT NULL,
  at INTEGER NOT NULL,
  percent REAL,
  PRIMARY KEY (uid, at)
) WITHOUT ROWID;
`

export const MINUTE = 60_000
const BOOT = 2 * MINUTE
const BOOTING_PERCENT = 38
const LINE_PERCENT = 9
const LINES_PERCENT_MOST = 72

export function recordShellLine({ database }: AzureCloud, uid: string, now: number): void {
  database.run(
    `INSERT INTO shell_line (uid, minute, lines) VALUES (?, ?, 1)
     ON CONFLICT (uid, minute) DO UPDATE SET lines = lines + 1`,
    uid,
    Math.floor(now / MINUTE),
  )
}

/** Sets the CPU load of a machine from now on. null: derived from its shells again. */
export function setCpuLoad({ database }: AzureCloud, uid: string, percent: number | null, now: number): void {
  database.run(
    'INSERT INTO processor_set (uid, at, percent) VALUES (?, ?, ?) ON CONFLICT (uid, at) DO UPDATE SET percent = excluded.percent',
    uid,
    now,
    percent,
  )
}

/** @param from a whole minute. The average is undefined for minutes in which the machine did not run */
export function cpuAverages({ database }: AzureCloud, uid: string, from: number, to: number): (number | undefined)[] {
  const power = database.all<{ state: string; at: number }>(
    'SELECT state, at FROM power WHERE uid = ? ORDER BY seq',
    uid,
  )
  const set = database.all<{ at: number; percent: number | null }>(
    'SELECT at, percent FROM processor_set WHERE uid = ? AND at < ? ORDER BY at',
    uid,
    to,
  )
  const lines = new Map(
    database
      .all<{ minute: number; lines: number }>(
        'SELECT minute, lines FROM shell_line WHERE uid = ? AND minute >= ? AND minute < ?',
        uid,
        from / MINUTE,
        to / MINUTE,
      )
      .map((row) => [row.minute, row.lines]),
  )
  const minutes: (number | undefined)[] = []
  for (let at = from; at < to; at += MINUTE) {
    const startedAt = runningThrough(power, at)
    if (startedAt === undefined) {
      minutes.push(undefined)
      continue
    }
    const percent = set.findLast((each) => each.at < at + MINUTE)?.percent ?? null
    minutes.push(percent ?? defaultLoad(uid, at, startedAt, lines.get(at / MINUTE) ?? 0))
  }
  return minutes
}

function runningThrough(power: readonly { state: string; at: number }[], minute: number): number | undefined {
  const before = power.findLast(({ at }) => at <= minute)
  const wasStopped = power.some(({ state, at }) => at > minute && at < minute + MINUTE && state !== 'running')
  return before?.state === 'running' && !wasStopped ? before.at : undefined
}

function defaultLoad(uid: string, minute: number, startedAt: number, lines: number): number {
  const booting = minute < startedAt + BOOT ? BOOTING_PERCENT : 0
  const resting = 0.6 + noise(`${uid} ${minute}`) * 1.8
  return Math.min(
    100,
    Math.round((resting + booting + Math.min(LINES_PERCENT_MOST, lines * LINE_PERCENT)) * 1000) / 1000,
  )
}

function noise(text: string): number {
  let hash = 2166136261
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  return (hash >>> 0) / 2 ** 32
}
