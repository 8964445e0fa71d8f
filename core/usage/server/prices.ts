import { type RawBuilder, sql } from 'kysely'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { event } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import {
  selectHasCustomerPrices,
  selectRunsToSplit,
  updateFirstPeriods,
  insertLaterPeriods,
  deleteRunsAfter,
  updateRunTotals,
  selectFutureRates,
  canStart,
  sumHourlyPrices,
  type Period,
  type RateStep,
} from './queries.ts'

/** The machines of a training can cost more or less per hour from now on. */
export const ratesChanged = event<{ readonly organisation: OrganisationId; readonly training: TrainingId }>(
  'usage.ratesChanged',
)

/**
 * Locks an organisation's prices for the transaction. `use` (shared) is for orders, which copy a price; `change`
 * (exclusive) waits for them and blocks new ones.
 */
export async function lockPrices(tx: Tx, organisation: OrganisationId, to: 'use' | 'change'): Promise<void> {
  const key = sql`hashtext('prices'), hashtext(${organisation}::text)`
  await (
    to === 'use' ? sql`select pg_advisory_xact_lock_shared(${key})` : sql`select pg_advisory_xact_lock(${key})`
  ).execute(tx)
}

/** Returns whether one of the organisations has its own prices. */
export async function haveCustomerPrices(db: Db, organisations: readonly OrganisationId[]): Promise<boolean> {
  const { rows } = await selectHasCustomerPrices(db, [...new Set(organisations)])
  return rows[0]!.found
}

/**
 * Splits the latest usage record of each machine at the changes of its price, so that each record has a single price.
 * The caller must hold locks on the machines.
 */
export async function splitRuns(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  const { rows } = await selectRunsToSplit(tx, machines)
  const split = [...Map.groupBy(rows, ({ run }) => run).values()].flatMap(periodsToStore)
  if (split.length === 0) return
  await updateFirstPeriods(tx, JSON.stringify(split.filter(({ isFirst }) => isFirst)))
  await insertLaterPeriods(tx, JSON.stringify(split.filter(({ isFirst }) => !isFirst)))
  await updateRunTotals(tx, [...new Set(split.map(({ machine_id }) => machine_id))])
}

/** Joins periods of equal price and ends each where the next one begins. Returns none if the record is right. */
function periodsToStore(all: readonly Period[]): (Period & { readonly isFirst: boolean })[] {
  const periods = all.filter(({ price }, index) => price !== all[index - 1]?.price)
  if (periods.length === 1 && periods[0]!.price === periods[0]!.currentPrice) return []
  return periods.map((period, index) => {
    const end = periods[index + 1]?.started_at
    const ending =
      end === undefined ? {} : { stopped_at: end, closed_by: 'price changed' as const, closed_told_at: end }
    return { ...period, ...ending, isFirst: index === 0 }
  })
}

/**
 * Undoes the splits at price changes after `instant`. The provider reports that the machine stopped at `instant`, so it
 * used none of the later prices. The caller ends the joined run, which updates the sums of the machine.
 */
export async function joinRunsAfter(tx: Tx, machine: MachineId, instant: Date): Promise<void> {
  for (;;) {
    const { rows } = await deleteRunsAfter(tx, machine, instant)
    const [removed] = rows
    if (removed === undefined) return
    await tx
      .updateTable('run')
      .set({ stopped_at: null, closed_by: null, closed_told_at: null })
      .where('machine_id', '=', machine)
      .where('stopped_at', '=', removed.started_at)
      .where('closed_by', '=', 'price changed')
      .execute()
  }
}

/**
 * Returns the total hourly price of machines `m` after each future price change of their organisation, by training.
 * Empty if no change is planned.
 * @param of condition on `m`
 */
export async function futureRates(
  db: Db,
  organisation: OrganisationId,
  of: RawBuilder<unknown>,
): Promise<readonly RateStep[]> {
  const { rows } = await selectFutureRates(db, organisation, of)
  return rows
}

/** Price per hour of the machines of a training, in paise. */
export interface TrainingRate {
  readonly currentPaisePerHour: number
  /** Rate of the machines that run now. */
  readonly runningPaisePerHour: number
  readonly steps: readonly RateStep[]
}

export async function trainingRate(
  db: Db,
  { training, organisation }: { readonly training: TrainingId; readonly organisation: OrganisationId },
): Promise<TrainingRate> {
  const { rows } = await sumHourlyPrices(db, training)
  const { paise, running } = rows[0]!
  return {
    currentPaisePerHour: paise,
    runningPaisePerHour: running,
    steps: await futureRates(db, organisation, canStart(training)),
  }
}

/**
 * Returns the cost between two instants in paise per hour times seconds, so that no fraction is lost before the caller
 * divides by 3,600.
 * @param rate before the first step, in paise per hour
 */
export function paiseSecondsBetween(
  rate: number,
  steps: readonly Pick<RateStep, 'at' | 'paisePerHour'>[],
  from: Date,
  to: Date,
): number {
  const changes = [{ at: new Date(0), paisePerHour: rate }, ...steps]
  return changes.reduce((sum, { at, paisePerHour }, index) => {
    const begins = Math.max(at.getTime(), from.getTime())
    const ends = Math.min(changes[index + 1]?.at.getTime() ?? Number.POSITIVE_INFINITY, to.getTime())
    return sum + (Math.max(0, ends - begins) / 1000) * paisePerHour
  }, 0)
}
