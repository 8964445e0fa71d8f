import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { RunCause } from '@trainyard/contract/words/run.ts'
import type { Tx } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'

/** The provider began, or ceased, to bill a machine; `cause`: what told so. */
export type RunChange = { readonly machine: MachineRow; readonly cause: RunCause } & (
  | { readonly opens: Date }
  | { readonly closes: Date }
)

interface Opened {
  readonly machine: MachineRow
  readonly cause: RunCause
  /** The provider's own instant; `start` is fitted between the machine's last run and now. */
  readonly told: Date
  readonly start: Date
}

interface Closed {
  readonly id: MachineId
  readonly cause: RunCause
  readonly told: Date
  readonly stop: Date
}

interface Latest {
  readonly machine_id: MachineId
  readonly open_since: Date | null
  readonly last_end: Date | null
}

/**
 * Opens and closes runs: one open run at most, none before the last one's end or the machine's order, none in the
 * future, whole seconds. What is open already is not opened again. (When a machine's allotted minutes are used up
 * follows from its runs: the database keeps that.)
 */
export async function changeRuns(tx: Tx, changes: readonly RunChange[], now: Date): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map(({ machine }) => machine.id)
  const { rows } = await sql<Latest>`
    select machine_id, max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end
    from all_run where machine_id = any(${ids}::uuid[]) group by machine_id`.execute(tx)
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
          told: change.opens,
          start: within(change.opens, last_end ?? machine.created_at, now),
        })
    } else if (open_since !== null) {
      closed.push({ id: machine.id, cause, told: change.closes, stop: within(change.closes, open_since, now) })
    }
  }
  await closeRuns(tx, closed)
  await openRuns(tx, opened)
}

/** An instant as it can stand in a run: a whole second, from `earliest` to now. */
export function within(instant: Date, earliest: Date, now: Date): Date {
  const second = (date: Date) => Math.floor(date.getTime() / 1000)
  return new Date(Math.max(second(earliest), Math.min(second(instant), second(now))) * 1000)
}

async function openRuns(tx: Tx, opened: readonly Opened[]): Promise<void> {
  if (opened.length === 0) return
  await tx
    .insertInto('run')
    .values(
      opened.map(({ machine, start, cause, told }) => ({
        machine_id: machine.id,
        organisation_id: machine.organisation_id,
        started_at: start,
        paise_per_hour: machine.paise_per_hour,
        opened_by: cause,
        opened_told_at: told,
      })),
    )
    .execute()
}

async function closeRuns(tx: Tx, closed: readonly Closed[]): Promise<void> {
  if (closed.length === 0) return
  await sql`
    update run set stopped_at = ended.stop, closed_by = ended.cause, closed_told_at = ended.told
    from unnest(${closed.map(({ id }) => id)}::uuid[], ${closed.map(({ stop }) => stop.toISOString())}::timestamptz[],
      ${closed.map(({ cause }) => cause)}::text[], ${closed.map(({ told }) => told.toISOString())}::timestamptz[])
      as ended (id, stop, cause, told)
    where run.machine_id = ended.id and run.stopped_at is null`.execute(tx)
}
