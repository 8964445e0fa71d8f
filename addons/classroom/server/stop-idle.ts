import { sql } from 'kysely'
import { CLASS } from '../contract/classroom-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredMachines } from '@trainyard/machines/server/desired-state.ts'
import { withdrawIdleWarnings, addIdleWarnings, selectWarnedMachines, recordIdleStops } from './queries.ts'
import { activityChanged } from '@trainyard/trainings/server/machine-changes.ts'

export async function stopIdle(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await withdrawWarnings(tx)
    await warn(tx)
    await stopWarned(tx)
  })
}

/** Withdraws warnings of machines that are no longer idle or whose CPU is no longer measured. */
async function withdrawWarnings(tx: Tx): Promise<void> {
  const { rows } = await withdrawIdleWarnings(tx)
  await activityChanged(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Warns learners early enough, so that a machine is stopped only after the minutes of its training have passed. */
async function warn(tx: Tx): Promise<void> {
  const { rows } = await addIdleWarnings(tx)
  await activityChanged(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Stops machines after a warning. No user caused the stop, so the audit row has no actor. */
async function stopWarned(tx: Tx): Promise<void> {
  const { rows } = await selectWarnedMachines(tx)
  if (rows.length === 0) return
  const stopped = JSON.stringify(rows.map(({ id, minutes }) => ({ id, minutes, reason: CLASS.stoppedIdle(minutes) })))
  const idle = sql`jsonb_to_recordset(${stopped}::jsonb) as idle (id uuid, minutes integer, reason text)`
  await setDesiredMachines(tx, {
    rows: sql`select machine.id, machine.last_error, idle.reason from machine join ${idle} on idle.id = machine.id`,
    desired: 'stopped',
    stopReason: sql`changed.reason`,
  })
  await recordIdleStops(tx, stopped)
  await activityChanged(
    tx,
    rows.map(({ id }) => id),
  )
}
