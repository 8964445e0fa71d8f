import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { RunCause } from '@trainyard/contract/words/run.ts'
import type { Tx } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/tables/machines.gen.ts'
import { haveCustomerPrices, joinRunsAfter, splitRuns } from './customer-prices.ts'

/** Change of a run. `cause` is how the portal learned of the change. */
export type RunChange = { readonly machine: MachineRow; readonly cause: RunCause } & (
  | { readonly opens: Date }
  | { readonly closes: Date }
)

interface Opened {
  readonly machine: MachineRow
  readonly cause: RunCause
  /** `start` is this instant, clamped between the end of the last run and now. */
  readonly reportedAt: Date
  readonly start: Date
}

interface Closed {
  readonly id: MachineId
  readonly cause: RunCause
  readonly reportedAt: Date
  readonly stop: Date
}

interface Latest {
  readonly machine_id: MachineId
  readonly open_since: Date | null
  readonly last_end: Date | null
}

/**
 * Changes runs. A machine has at most one open run, and no run starts before the previous one's end or ends in the
 * future.
 */
export async function changeRuns(tx: Tx, changes: readonly RunChange[], now: Date): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map(({ machine }) => machine.id)
  const isPriced = await haveCustomerPrices(
    tx,
    changes.map(({ machine }) => machine.organisation_id),
  )
  if (isPriced) {
    for (const change of changes) if ('closes' in change) await joinRunsAfter(tx, change.machine.id, change.closes)
  }
  const { rows } = await sql<Latest>`
    select machine_id, max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end
    from run where machine_id = any(${ids}::uuid[]) group by machine_id`.execute(tx)
  const latest = new Map(rows.map((row) => [row.machine_id, row]))

  const opened: Opened[] = []
  const closed: Closed[] = []
  for (const change of changes) {
    const { machine, cause } = change
    const { open_since = null, last_end = null } = latest.get(machine.id) ?? {}
    if ('opens' in change) {
      if (open_since === null)
        opened.push({
          machine,
          cause,
          reportedAt: change.opens,
          start: clampInstant(change.opens, last_end ?? machine.created_at, now),
        })
    } else if (open_since !== null) {
      closed.push({
        id: machine.id,
        cause,
        reportedAt: change.closes,
        stop: clampInstant(change.closes, open_since, now),
      })
    }
  }
  await closeRuns(tx, closed)
  await openRuns(tx, opened)
  if (isPriced) await splitRuns(tx, ids)
}

/** Returns an instant in whole seconds between the end of the last run and now. */
export function clampInstant(instant: Date, earliest: Date, now: Date): Date {
  const second = (date: Date) => Math.floor(date.getTime() / 1000)
  return new Date(Math.max(second(earliest), Math.min(second(instant), second(now))) * 1000)
}

async function openRuns(tx: Tx, opened: readonly Opened[]): Promise<void> {
  if (opened.length === 0) return
  await tx
    .insertInto('run')
    .values(
      opened.map(({ machine, start, cause, reportedAt }) => ({
        machine_id: machine.id,
        organisation_id: machine.organisation_id,
        started_at: start,
        paise_per_hour: machine.paise_per_hour,
        opened_by: cause,
        opened_told_at: reportedAt,
      })),
    )
    .execute()
}

async function closeRuns(tx: Tx, closed: readonly Closed[]): Promise<void> {
  if (closed.length === 0) return
  await sql`
    update run set stopped_at = ended.stop, closed_by = ended.cause, closed_told_at = ended.reported_at
    from unnest(${closed.map(({ id }) => id)}::uuid[], ${closed.map(({ stop }) => stop.toISOString())}::timestamptz[],
      ${closed.map(({ cause }) => cause)}::text[], ${closed.map(({ reportedAt }) => reportedAt.toISOString())}::timestamptz[])
      as ended (id, stop, cause, reported_at)
    where run.machine_id = ended.id and run.stopped_at is null`.execute(tx)
}
