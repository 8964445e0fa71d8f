import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { futureRates } from '../meter/customer-prices.ts'
import type { TrainingHistory } from './forecast/history.ts'
import type { BudgetSubject } from './spent.ts'

/** Number of weeks that are read: the weeks of the backtest, and the earlier weeks that each forecast uses. */
const WEEKS = 20

interface RateChange {
  readonly training: TrainingId
  readonly hour: number
  /** Paise per hour */
  readonly rate: number
  /** Cost of the change within the hour, in paise */
  readonly part: number
}

interface PlannedSchedule {
  readonly training: TrainingId
  readonly at: number
  readonly action: 'Start' | 'Stop'
  readonly plannedAt: number
  readonly cancelledAt: number | null
}

interface Capacity {
  readonly training: TrainingId
  readonly price: number
  readonly from: number
  readonly to: number | null
}

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
  const { rows: clocks } = await sql<{ timeZone: string; asOf: Date; now: number; begins: number }>`
    select time_zone as "timeZone", now as "asOf", date_part('epoch', now at time zone time_zone) / 3600 as now,
      floor(date_part('epoch', date_trunc('day', now at time zone time_zone)) / 3600) - ${WEEKS * 168} as begins
    from organisation, (select portal_now() as now) as clock where id = ${organisation}`.execute(db)
  const clock = clocks[0]!
  const hourOf = (instant: unknown) =>
    sql`date_part('epoch', ${instant}::timestamptz at time zone ${clock.timeZone}) / 3600`
  const since = sql`(to_timestamp(${clock.begins * 3600}) at time zone 'UTC') at time zone ${clock.timeZone}`
  const [steps, { rows: changes }, { rows: plans }, { rows: capacities }] = await Promise.all([
    futureRates(db, organisation, mine),
    sql<RateChange>`
      with ran as (
        select m.training_id, greatest(r.started_at, ${since}) as began, r.stopped_at as ended, m.paise_per_hour as price
        from machine m join run r on r.machine_id = m.id
        where ${mine} and (r.stopped_at is null or r.stopped_at > ${since})
      ), change as (
        select training_id, date_part('epoch', began at time zone ${clock.timeZone}) / 3600 as at, price from ran
        union all
        select training_id, date_part('epoch', ended at time zone ${clock.timeZone}) / 3600, -price from ran
        where ended is not null
      )
      select training_id as training, floor(at)::float8 as hour, sum(price)::float8 as rate,
        sum(price * (floor(at) + 1 - at))::float8 as part
      from change group by training_id, floor(at) order by hour`.execute(db),
    sql<PlannedSchedule>`
      select s.training_id as training, ${hourOf(sql`s.fires_at`)} as at, s.action,
        ${hourOf(sql`s.created_at`)} as "plannedAt", ${hourOf(sql`s.removed_at`)} as "cancelledAt"
      from schedule s where s.organisation_id = ${organisation}
        and (${training}::uuid is null or s.training_id = ${training}) and s.fires_at > ${since}
      order by s.fires_at`.execute(db),
    sql<Capacity>`
      select m.training_id as training, sum(m.paise_per_hour)::float8 as price,
        floor(${hourOf(sql`m.created_at`)})::float8 as "from", floor(${hourOf(sql`m.terminated_at`)})::float8 as "to"
      from machine m where ${mine} and (m.terminated_at is null or m.terminated_at > ${since})
      group by 1, 3, 4`.execute(db),
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
