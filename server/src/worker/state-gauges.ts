import type { Db } from '../db/schema.ts'
import { connectedModules } from '../core/events.ts'
import { claimableTables } from '../reconcile/claim.ts'
import { statusOf } from '../reconcile/status.ts'
import type { GaugeValue } from '../telemetry/meters.ts'
import { countMachinesByState, selectGauges } from './queries.ts'

/** Gauges of the database state: name with an optional label after a slash, and description. */
export const STATE_GAUGES = {
  'task_lag_seconds/task': 'Delay of the last run of a task, in seconds.',
  'task_ended_seconds_ago/task': 'Seconds since the last run of a task ended.',
  'task_every_seconds/task': 'Period of a task, in seconds.',
  'task_failed/task': '1 if the last run of a task failed.',
  'rows_due/kind': 'Due rows that wait for a worker.',
  'rows_at_work/kind': 'Rows that a worker is processing.',
  'rows_failing/kind': 'Rows whose last attempt failed.',
  'rows_wait_seconds/kind': 'Waiting time of the row that has been due longest, in seconds.',
  'machines/state': 'Machines that are not terminated, by observed state.',
  money_undecided_orders: 'Payment orders that are neither paid nor expired.',
  money_undecided_paise: 'Sum of undecided payment orders, in paise.',
  money_undecided_seconds: 'Age of the oldest undecided payment order whose checks fail, in seconds.',
  mail_waiting: 'E-mails waiting to be sent.',
  mail_waiting_seconds: 'Waiting time of the oldest unsent e-mail, in seconds.',
  webhooks_waiting: 'Webhook deliveries that have not succeeded yet.',
  webhooks_wait_seconds: 'Delay of the webhook that has been due longest, in seconds, without failing endpoints.',
} as const

export async function readState(db: Db): Promise<readonly GaugeValue[]> {
  const [{ tasks, rows }, { rows: machines }, { rows: others }] = await Promise.all([
    statusOf(db, claimableTables(connectedModules())),
    countMachinesByState(db),
    selectGauges(db),
  ])
  const other = others[0]!
  return [
    ...tasks.flatMap(({ name, everySeconds, lagSeconds, endedAt, result }): GaugeValue[] => {
      const label = ['task', name] as const
      const ago = endedAt === null ? null : (Date.now() - Date.parse(endedAt)) / 1000
      return [
        { gauge: 'task_every_seconds', label, value: everySeconds },
        { gauge: 'task_failed', label, value: result === 'failed' ? 1 : 0 },
        ...(lagSeconds === null ? [] : [{ gauge: 'task_lag_seconds', label, value: lagSeconds }]),
        ...(ago === null ? [] : [{ gauge: 'task_ended_seconds_ago', label, value: Math.max(0, ago) }]),
      ]
    }),
    ...rows.flatMap(({ kind, due, atWork, failing, lagSeconds }): GaugeValue[] => {
      const label = ['kind', kind] as const
      return [
        { gauge: 'rows_due', label, value: due },
        { gauge: 'rows_at_work', label, value: atWork },
        { gauge: 'rows_failing', label, value: failing },
        { gauge: 'rows_wait_seconds', label, value: lagSeconds },
      ]
    }),
    ...machines.map(({ observed, count }): GaugeValue => ({
      gauge: 'machines',
      label: ['state', observed],
      value: count,
    })),
    { gauge: 'money_undecided_orders', value: other.orders },
    { gauge: 'money_undecided_paise', value: other.paise },
    { gauge: 'money_undecided_seconds', value: other.oldest },
    { gauge: 'mail_waiting', value: other.mails },
    { gauge: 'mail_waiting_seconds', value: other.waits },
    { gauge: 'webhooks_waiting', value: other.hooks },
    { gauge: 'webhooks_wait_seconds', value: other.delay },
  ]
}
