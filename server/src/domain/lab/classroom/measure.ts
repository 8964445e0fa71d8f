import { sql } from 'kysely'
import { BUSY_PERCENT } from '@trainyard/contract/words/classroom.ts'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { MachineMetrics, ProcessorMinute } from '../../../providers/machine-metrics.ts'

/** Age at which minutes count as not measured, in milliseconds. */
const MAX_AGE_MS = 60 * 60_000
const MINUTE_MS = 60_000

interface Running {
  readonly id: MachineId
  readonly name: string
  readonly resourceGroup: string
  readonly location: string
  readonly now: Date
  /** Time up to which minutes have been measured, or the start of the run if no minute has been measured. */
  readonly knownTo: Date
}

export interface Measured {
  readonly percent: number
  readonly cpuAt: Date
  /** Last minute that was busy or not measured; null if all minutes were idle. */
  readonly busyAt: Date | null
}

export async function measureMachines(db: Db, metrics: MachineMetrics, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<Running>`
    select m.id, m.name, m.resource_group as "resourceGroup", m.location, portal_now() as now,
      greatest(a.cpu_at, r.started_at) as "knownTo"
    from machine m join run r on r.machine_id = m.id and r.stopped_at is null
    left join machine_activity a on a.machine_id = m.id
    where m.observed = 'running' and m.desired = 'running' order by m.number`.execute(db)
  const failures: unknown[] = []
  for (const [location, machines] of Map.groupBy(rows, ({ location }) => location)) {
    try {
      await measure(db, metrics, location, machines, signal)
    } catch (failure) {
      // Continue, because other regions may still answer.
      failures.push(failure)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function measure(
  db: Db,
  metrics: MachineMetrics,
  location: string,
  machines: readonly Running[],
  signal: AbortSignal,
): Promise<void> {
  const oldest = Math.min(...machines.map(({ knownTo }) => knownTo.getTime()))
  const { now } = machines[0]!
  const from = new Date(Math.floor(Math.max(oldest, now.getTime() - MAX_AGE_MS) / MINUTE_MS) * MINUTE_MS)
  const seen = await metrics.processorUsage(machines, location, { from, to: now }, signal)
  const written = machines.flatMap(({ id, knownTo }) => {
    const measured = summarize(seen.get(id) ?? [], knownTo, from)
    return measured === null ? [] : [{ id, ...measured }]
  })
  if (written.length === 0) return
  await sql`
    insert into machine_activity as a (machine_id, organisation_id, cpu_percent, cpu_at, busy_at)
    select m.id, m.organisation_id, s.percent, s."cpuAt", s."busyAt"
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
      as s (id uuid, percent double precision, "cpuAt" timestamptz, "busyAt" timestamptz)
    join machine m on m.id = s.id order by m.id
    on conflict (machine_id) do update set cpu_percent = excluded.cpu_percent, cpu_at = excluded.cpu_at,
      busy_at = greatest(a.busy_at, excluded.busy_at)
    where a.cpu_at is null or a.cpu_at < excluded.cpu_at`.execute(db)
}

/**
 * Summarises minutes. A missing minute before the last measured minute counts as busy, so that no machine is stopped
 * because of a gap.
 */
export function summarize(minutes: readonly ProcessorMinute[], knownTo: Date, from: Date): Measured | null {
  const rotated = minutes.filter(({ at }) => endOf(at) > knownTo.getTime())
  const last = rotated.findLast(({ percent }) => percent !== null)
  if (last === undefined) return null
  const busy = rotated.findLast(({ at, percent }) => at <= last.at && (percent === null || percent >= BUSY_PERCENT))
  const unknownBefore = from.getTime() > knownTo.getTime() + MINUTE_MS ? from : null
  return {
    percent: Math.min(100, Math.max(0, last.percent!)),
    cpuAt: new Date(endOf(last.at)),
    busyAt: busy === undefined ? unknownBefore : new Date(endOf(busy.at)),
  }
}

const endOf = (at: Date): number => at.getTime() + MINUTE_MS
