import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { RunCause } from '../contract/run.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { amountOf, type Run, secondsOfRun } from './bill.ts'
import { selectBillLines, type BillLine } from './queries.ts'
import type { TrainingBill } from './used.ts'

/** Reads all amounts in a single statement, so that all of them describe the same instant. */
export async function billLines(
  db: Db,
  training: TrainingId,
  email: string | null,
): Promise<{ asOf: Date; lines: BillLine[] }> {
  const { rows } = await selectBillLines(db, training, email)
  return { asOf: rows[0]!.asOf, lines: rows.flatMap(({ line }) => line ?? []) }
}

export interface AuditedRun extends Run {
  readonly seconds: number
  /** Seconds multiplied by paise per hour. The machine's amount is the rounded sum of these values divided by 3600. */
  readonly paiseSeconds: number
  readonly opened: Transition
  readonly closed: Transition | null
}

export interface Transition {
  readonly cause: RunCause
  readonly reportedAt: Date
}

/** Returns runs with their causes. Includes billed runs that were cleared from the log screen. */
export async function auditedRuns(
  db: Db,
  machine: MachineId,
): Promise<{ asOf: Date; amount: Paise; runs: AuditedRun[] }> {
  const asOf = await portalNow(db)
  const rows = await db.selectFrom('run').selectAll().where('machine_id', '=', machine).orderBy('started_at').execute()
  const runs = rows.map((row): AuditedRun => {
    const run = { start: row.started_at, stop: row.stopped_at, paisePerHour: row.paise_per_hour }
    const seconds = secondsOfRun(run, asOf)
    return {
      ...run,
      seconds,
      paiseSeconds: seconds * row.paise_per_hour,
      opened: { cause: row.opened_by, reportedAt: row.opened_told_at ?? row.started_at },
      closed:
        row.stopped_at === null
          ? null
          : { cause: row.closed_by ?? 'imported', reportedAt: row.closed_told_at ?? row.stopped_at },
    }
  })
  return { asOf, amount: amountOf(runs, asOf), runs }
}

export function sumOfLines(lines: readonly BillLine[]): TrainingBill {
  const live = lines.filter(({ alive }) => alive)
  const online = live.filter((line) => line.online).length
  return {
    amount: paise(lines.reduce((sum, { amount }) => sum + amount, 0)),
    seconds: lines.reduce((sum, { seconds }) => sum + seconds, 0),
    online,
    offline: live.length - online,
  }
}
