import { connectedModules } from '../core/events.ts'
import { EMAILS } from './jobs/job.ts'
import { claimableTables } from './reconcile/claim.ts'
import { statusOf } from './reconcile/status.ts'
import type { Gauges, GaugeValue } from './telemetry/meters.ts'
import { selectWaitingMails } from './queries.ts'

export const STATE_GAUGES: Gauges = {
  descriptions: {
    'task_lag_seconds/task': 'Delay of the last run of a task, in seconds.',
    'task_ended_seconds_ago/task': 'Seconds since the last run of a task ended.',
    'task_every_seconds/task': 'Period of a task, in seconds.',
    'task_failed/task': '1 if the last run of a task failed.',
    'rows_due/kind': 'Due rows that wait for a worker.',
    'rows_at_work/kind': 'Rows that a worker is processing.',
    'rows_failing/kind': 'Rows whose last attempt failed.',
    'rows_wait_seconds/kind': 'Waiting time of the row that has been due longest, in seconds.',
    mail_waiting: 'E-mails waiting to be sent.',
    mail_waiting_seconds: 'Waiting time of the oldest unsent e-mail, in seconds.',
  },
  async read(db) {
    const modules = connectedModules()
    const mails = modules.flatMap(({ jobs = [] }) =>
      jobs.flatMap(({ job }) => (job.options === EMAILS ? job.name : [])),
    )
    const [{ tasks, rows }, { rows: waiting }] = await Promise.all([
      statusOf(db, claimableTables(modules)),
      selectWaitingMails(db, mails),
    ])
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
      { gauge: 'mail_waiting', value: waiting[0]!.count },
      { gauge: 'mail_waiting_seconds', value: waiting[0]!.seconds },
    ]
  },
}
