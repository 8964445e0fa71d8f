import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { statusOf } from '../reconcile/status.ts'
import type { Figure } from '../telemetry/telemetry.ts'

/** Gauges of what stands in the database, each with its one label behind a slash, and what it says. */
export const STATE_GAUGES = {
  'task_lag_seconds/task': 'Seconds by which the last run of a task began later than it was due.',
  'task_ended_seconds_ago/task': 'Seconds since a task last came to an end.',
  'task_every_seconds/task': 'Seconds between two runs of a task.',
  'task_failed/task': '1 where the last run of a task failed.',
  'rows_due/kind': 'Rows that wait for a worker.',
  'rows_at_work/kind': 'Rows that a worker is at.',
  'rows_failing/kind': 'Rows whose last try failed.',
  'rows_wait_seconds/kind': 'Seconds that the row waits which was due first.',
  'machines/state': 'Machines that are not terminated, by what was last seen of them.',
  money_undecided_orders: 'Orders of payment that are neither paid nor given up.',
  money_undecided_paise: 'Sum of those orders.',
  money_undecided_seconds: 'Seconds since the oldest of them that fails was made.',
  mail_waiting: 'Emails that were not sent yet.',
  mail_waiting_seconds: 'Seconds that the oldest of them waits.',
} as const

/** Reads them all in one go, within 5 s or not at all. */
export async function readState(db: Db): Promise<readonly Figure[]> {
  const [{ tasks, rows }, { rows: machines }, { rows: others }] = await Promise.all([
    statusOf(db),
    sql<{ observed: string; count: number }>`
      select observed, count(*)::int as count from machine where terminated_at is null group by observed`.execute(db),
    sql<{ orders: number; paise: number; oldest: number; mails: number; waits: number }>`
      select orders, paise, oldest, mails, waits from
        (select count(*)::int as orders, coalesce(sum(amount_paise), 0)::float8 as paise,
          coalesce(extract(epoch from portal_now() - min(created_at) filter (where attempts > 0)), 0)::float8 as oldest
          from payment where reconcile_at is not null and paid_at is null) as money,
        (select count(*)::int as mails,
          coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as waits
          from pgboss.job where state < 'active' and name <> 'machine.capture') as mail`.execute(db),
  ])
  const other = others[0]!
  return [
    ...tasks.flatMap(({ name, everySeconds, lagSeconds, endedAt, result }): Figure[] => {
      const label = ['task', name] as const
      const ago = endedAt === null ? null : (Date.now() - Date.parse(endedAt)) / 1000
      return [
        { gauge: 'task_every_seconds', label, value: everySeconds },
        { gauge: 'task_failed', label, value: result === 'failed' ? 1 : 0 },
        ...(lagSeconds === null ? [] : [{ gauge: 'task_lag_seconds', label, value: lagSeconds }]),
        ...(ago === null ? [] : [{ gauge: 'task_ended_seconds_ago', label, value: Math.max(0, ago) }]),
      ]
    }),
    ...rows.flatMap(({ kind, due, atWork, failing, lagSeconds }): Figure[] => {
      const label = ['kind', kind] as const
      return [
        { gauge: 'rows_due', label, value: due },
        { gauge: 'rows_at_work', label, value: atWork },
        { gauge: 'rows_failing', label, value: failing },
        { gauge: 'rows_wait_seconds', label, value: lagSeconds },
      ]
    }),
    ...machines.map(({ observed, count }): Figure => ({ gauge: 'machines', label: ['state', observed], value: count })),
    { gauge: 'money_undecided_orders', value: other.orders },
    { gauge: 'money_undecided_paise', value: other.paise },
    { gauge: 'money_undecided_seconds', value: other.oldest },
    { gauge: 'mail_waiting', value: other.mails },
    { gauge: 'mail_waiting_seconds', value: other.waits },
  ]
}
