import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { restoreFutureRuns } from './archive.ts'
import { clampInstant } from './runs.ts'

interface Row {
  readonly id: number
  readonly machine_id: MachineId
  readonly started_at: Date
  readonly stopped_at: Date | null
  readonly opened_told_at: Date | null
  readonly closed_told_at: Date | null
  readonly created_at: Date
  readonly now: Date
}

/**
 * Corrects run times that are in the future because the clock was set back. Afterwards no run ends later than now. The
 * order of the runs does not change.
 */
export async function correctFutureRuns(tx: Tx): Promise<void> {
  await restoreFutureRuns(tx)
  const { rows } = await sql<Row>`
    select r.id, r.machine_id, r.started_at, r.stopped_at, r.opened_told_at, r.closed_told_at, m.created_at,
      portal_now() as now
    from run r join machine m on m.id = r.machine_id
    where r.machine_id in (select machine_id from run where greatest(started_at, stopped_at) > portal_now())
    order by r.machine_id, r.id`.execute(tx)
  const lastEnds = new Map<MachineId, Date>()
  for (const run of rows) {
    const { id, machine_id, now } = run
    const earliest = lastEnds.get(machine_id) ?? run.created_at
    const start = run.started_at > now ? clampInstant(run.opened_told_at ?? now, earliest, now) : run.started_at
    const stop =
      run.stopped_at !== null && run.stopped_at > now
        ? clampInstant(run.closed_told_at ?? now, start, now)
        : run.stopped_at
    if (stop !== null) lastEnds.set(machine_id, stop)
    if (start === run.started_at && stop === run.stopped_at) continue
    await tx.updateTable('run').set({ started_at: start, stopped_at: stop }).where('id', '=', id).execute()
  }
}
