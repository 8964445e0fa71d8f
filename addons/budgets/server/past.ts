import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { futureRates } from '@trainyard/usage/server/prices.ts'
import type { TrainingHistory } from './forecast/history.ts'
import { selectClock, selectPastRuns, selectPastSchedules, selectPastMachines, type RateChange } from './queries.ts'
import type { BudgetSubject } from './spent.ts'

export interface Past {
  readonly timeZone: string
  readonly asOf: Date
  /** Current local hour, including its elapsed fraction. */
  readonly now: number
  readonly begins: number
  knownAt(hour: number): readonly TrainingHistory[]
  /** Costs of an hour divided by its costs at current prices, in the order of `knownAt`. */
  readonly priceFactors: readonly ((hour: number) => number)[]
}

/**
 * Returns the past usage. Runs are read as changes of the rate and summed by hour in SQL, so that fewer rows are read.
 * Past usage is valued at the current price of its machine, because the forecast projects usage, not past prices.
 */
export async function readPast(db: Db, { organisation, training }: BudgetSubject): Promise<Past> {
  const mine = sql`m.organisation_id = ${organisation} and (${training}::uuid is null or m.training_id = ${training})`
  const { rows: clocks } = await selectClock(db, organisation)
  const clock = clocks[0]!

  const [steps, { rows: changes }, { rows: plans }, { rows: capacities }] = await Promise.all([
    futureRates(db, organisation, mine),
    selectPastRuns(db, clock.begins, clock.timeZone, organisation, training),
    selectPastSchedules(db, clock.timeZone, organisation, training, clock.begins),
    selectPastMachines(db, clock.timeZone, organisation, training, clock.begins),
  ])
  const costs = costsOf(changes, clock)
  return {
    ...clock,
    priceFactors: [...costs.keys()].map((id) => {
      const currentPrice = capacities
        .filter((one) => one.training === id && (one.to === null || one.to > clock.now))
        .reduce((sum, { price }) => sum + price, 0)
      const later = steps.filter((step) => step.training === id && currentPrice > 0)
      return (hour) => {
        const step = later.findLast(
          ({ at }) => clock.now + (at.getTime() - clock.asOf.getTime()) / 3_600_000 <= hour + 0.5,
        )
        return step === undefined ? 1 : step.paisePerHour / currentPrice
      }
    }),
    knownAt(hour) {
      const count = Math.floor(hour) - clock.begins
      return [...costs].map(([id, { hours, rates }]): TrainingHistory => {
        const live = capacities.filter(
          (one) => one.training === id && one.from <= hour && (one.to === null || one.to > hour),
        )
        const known = plans.filter((plan) => {
          return (
            plan.training === id && plan.plannedAt <= hour && (plan.cancelledAt === null || plan.cancelledAt > hour)
          )
        })
        return {
          begins: clock.begins,
          hours: hours.subarray(0, count),
          running: rates[count] ?? 0,
          capacity: live.reduce((sum, { price }) => sum + price, 0),
          plans: known,
        }
      })
    },
  }
}

interface Costs {
  readonly hours: Float64Array
  /** Paise per hour at the end of each hour */
  readonly rates: Float64Array
}

function costsOf(changes: readonly RateChange[], clock: { readonly begins: number; readonly now: number }) {
  const count = Math.floor(clock.now) - clock.begins + 1
  const costs = new Map<TrainingId, Costs>()
  for (const { training, hour, rate, part } of changes) {
    const { hours, rates } = costs.get(training) ?? { hours: new Float64Array(count), rates: new Float64Array(count) }
    costs.set(training, { hours, rates })
    const at = hour - clock.begins
    if (at < 0 || at >= count) continue
    hours[at]! += part
    rates[at]! += rate
  }
  for (const { hours, rates } of costs.values()) {
    for (let at = 0, rate = 0; at < count; at++) {
      hours[at]! += rate
      rate += rates[at]!
      rates[at] = rate
    }
  }
  return costs
}
