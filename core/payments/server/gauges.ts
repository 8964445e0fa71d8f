import type { Gauges } from '@trainyard/platform/server/run/telemetry/meters.ts'
import { selectUndecided } from './queries.ts'

export const PAYMENT_GAUGES: Gauges = {
  descriptions: {
    money_undecided_orders: 'Payment orders that are neither paid nor expired.',
    money_undecided_paise: 'Sum of undecided payment orders, in paise.',
    money_undecided_seconds: 'Age of the oldest undecided payment order whose checks fail, in seconds.',
  },
  async read(db) {
    const { rows } = await selectUndecided(db)
    const { orders, paise, oldest } = rows[0]!
    return [
      { gauge: 'money_undecided_orders', value: orders },
      { gauge: 'money_undecided_paise', value: paise },
      { gauge: 'money_undecided_seconds', value: oldest },
    ]
  },
}
