import { BUSY_PERCENT } from '../contract/classroom-words.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type {
  MachineMetrics,
  MetricsOfProviders,
  ProcessorMinute,
} from '@trainyard/templates/server/machine-metrics.ts'
import { selectMachinesToMeasure, upsertActivity, type MeasuredMachine } from './queries.ts'
import { activityChanged } from '@trainyard/trainings/server/machine-changes.ts'

/** Age at which minutes count as not measured, in milliseconds. */
const MAX_AGE_MS = 60 * 60_000
const MINUTE_MS = 60_000

export interface Measured {
  readonly percent: number
  readonly cpuAt: Date
  /** Last minute that was busy or not measured; null if all minutes were idle. */
  readonly busyAt: Date | null
}

export async function measureMachines(db: Db, metrics: MetricsOfProviders, signal: AbortSignal): Promise<void> {
  const { rows } = await selectMachinesToMeasure(db)
  const failures: unknown[] = []
  const measured = rows.filter(({ provider }) => metrics[provider] !== undefined)
  for (const machines of Map.groupBy(measured, ({ provider, location }) => `${provider} ${location}`).values()) {
    try {
      await measure(db, metrics[machines[0]!.provider]!, machines, signal)
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
  machines: readonly MeasuredMachine[],
  signal: AbortSignal,
): Promise<void> {
  const oldest = Math.min(...machines.map(({ knownTo }) => knownTo.getTime()))
  const { now, location } = machines[0]!
  const from = new Date(Math.floor(Math.max(oldest, now.getTime() - MAX_AGE_MS) / MINUTE_MS) * MINUTE_MS)
  const seen = await metrics.processorUsage(machines, location, { from, to: now }, signal)
  const written = machines.flatMap(({ id, knownTo }) => {
    const measured = summarize(seen.get(id) ?? [], knownTo, from)
    return measured === null ? [] : [{ id, ...measured }]
  })
  if (written.length === 0) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await upsertActivity(tx, JSON.stringify(written))
    await activityChanged(
      tx,
      rows.map(({ id }) => id),
    )
  })
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
