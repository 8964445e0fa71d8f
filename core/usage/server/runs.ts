import type { RunCause } from '../contract/run.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { RunTable } from '../tables.gen.ts'
import { haveCustomerPrices, joinRunsAfter, splitRuns } from './prices.ts'
import { selectRunState, endRuns, updateRunTotals, type Closed } from './queries.ts'

/** Values that a run copies from its machine. */
type MeteredMachine = Pick<RunTable, 'organisation_id' | 'paise_per_hour'> & {
  readonly id: RunTable['machine_id']
  readonly created_at: Date
}

/** Change of a run. `cause` is how the portal learned of the change. */
export type RunChange = { readonly machine: MeteredMachine; readonly cause: RunCause } & (
  | { readonly opens: Date }
  | { readonly closes: Date }
)

interface Opened {
  readonly machine: MeteredMachine
  readonly cause: RunCause
  /** `start` is this instant, clamped between the end of the last run and now. */
  readonly reportedAt: Date
  readonly start: Date
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
  const { rows } = await selectRunState(tx, ids)
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
  await endRuns(tx, closed)
  await updateRunTotals(
    tx,
    closed.map(({ id }) => id),
  )
}
