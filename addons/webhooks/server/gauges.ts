import type { Gauges } from '@trainyard/platform/server/run/telemetry/meters.ts'
import { selectWaitingDeliveries } from './queries.ts'

export const WEBHOOK_GAUGES: Gauges = {
  descriptions: {
    webhooks_waiting: 'Webhook deliveries that have not succeeded yet.',
    webhooks_wait_seconds: 'Delay of the webhook that has been due longest, in seconds, without failing endpoints.',
  },
  async read(db) {
    const { rows } = await selectWaitingDeliveries(db)
    const { count, delay } = rows[0]!
    return [
      { gauge: 'webhooks_waiting', value: count },
      { gauge: 'webhooks_wait_seconds', value: delay },
    ]
  },
}
