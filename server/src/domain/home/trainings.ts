import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { home } from '@trainyard/contract/calls/home.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { Db } from '../../db/schema.ts'
import { DUE_AT } from '../lab/training/deferred-stops.ts'
import { balanceOf } from '../money/ledger/balance.ts'
import { billByMachine, minutesOfSeconds } from '../money/meter/used.ts'
import type { OrganisationInScope } from '../people/organisation/scope.ts'

type Trainings = ReplyOf<typeof home.trainings>

const RUNNING_OUT_SHARE = 0.9

interface Row {
  readonly training: string
  readonly running: number
  readonly stopped: number
  readonly planned: number
  readonly failing: number
  readonly running_out: number
  readonly seconds: number
  readonly total: number | null
  readonly amount: number
  readonly next_date: string | null
  readonly next_time: string
  readonly next_action: ScheduleAction | 'Ready'
}

export async function trainingsNow(db: Db, { id, timeZone }: OrganisationInScope): Promise<Trainings> {
  const [{ rows }, balance] = await Promise.all([
    sql<Row>`
      with live as materialized (
        select id, training_id, observed, desired, last_error, allotted_minutes, create_later from machine
        where organisation_id = ${id} and terminated_at is null
      ), place as materialized (
        select distinct training_id from live
      ), ever as materialized (
        -- Includes all machines that ever ran in the training, because bills and quotas include terminated machines.
        select m.id, m.allotted_minutes, place.training_id from place
        cross join lateral (select id, allotted_minutes from machine where training_id = place.training_id offset 0) as m
      ), used as materialized ${billByMachine(sql`select id from ever`)}, whole as (
        select ever.training_id, sum(used.amount) as amount, sum(used.seconds) as seconds,
          sum(ever.allotted_minutes)::bigint as total
        from ever left join used on used.machine_id = ever.id group by ever.training_id
      ), now as (
        select live.training_id,
          count(*) filter (where observed = 'running' and desired <> 'gone') as running,
          count(*) filter (where not (observed = 'running' and desired <> 'gone')) as stopped,
          count(*) filter (where create_later and desired <> 'gone') as planned,
          count(*) filter (where last_error is not null and desired <> 'gone') as failing,
          count(*) filter (where used.seconds >= allotted_minutes * 60 * ${RUNNING_OUT_SHARE}::float8) as running_out
        from live left join used on used.machine_id = live.id group by live.training_id
      )
      select t.name as training, now.running, now.stopped, now.planned, now.failing, now.running_out, whole.total,
        coalesce(whole.seconds, 0)::bigint as seconds, coalesce(whole.amount, 0)::bigint as amount, next.at::date as next_date,
        to_char(next.at, 'HH24:MI') as next_time, next.action as next_action
      from now join whole on whole.training_id = now.training_id
      -- Reads the few machines one by one through an index, because the planner may expect many machines.
      cross join lateral (select name from training where id = now.training_id offset 0) as t
      left join lateral (
        select action, at at time zone ${timeZone} as at from (
          (select action, ${DUE_AT} as at from schedule
            where training_id = now.training_id and completed_at is null and removed_at is null
              and ${DUE_AT} > portal_now()
            order by ${DUE_AT} limit 1)
          union all
          (select 'Ready', ready_at from ready_by
            where training_id = now.training_id and not missed and removed_at is null and ready_at > portal_now()
            order by ready_at limit 1)) as ahead
        -- A session has a ready time and a Start at the same time.
        order by ahead.at, action limit 1
      ) as next on true
      order by t.name`.execute(db),
    balanceOf(db, id),
  ])
  return {
    timeZone,
    balancePaise: balance,
    trainings: rows.map((row) => ({
      training: row.training,
      running: row.running,
      stopped: row.stopped,
      planned: row.planned,
      failing: row.failing,
      runningOut: row.running_out,
      consumed: minutesOfSeconds(row.seconds),
      total: row.total,
      amountPaise: row.amount,
      next: row.next_date === null ? null : { date: row.next_date, time: row.next_time, action: row.next_action },
    })),
  }
}
