import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'C1',
    description: 'A schedule acts at most once per machine, never early, and not if it was missed.',
    when: 'always',
    query: `select id from schedule where completed_at < coalesce(deferred_until, fires_at)
      union all select s.id from schedule s join schedule_outcome o on o.schedule_id = s.id
        where s.completed_at is null or s.missed
      union all select schedule_id from schedule_outcome group by schedule_id, machine_id having count(*) > 1
      union all select s.id from schedule s join schedule_outcome o on o.schedule_id = s.id
        join machine m on m.id = o.machine_id where m.training_id <> s.training_id`,
  },
  {
    name: 'C2',
    description: 'A completed schedule has an outcome for every machine that existed then.',
    when: 'always',
    // The margin allows for orders that were in progress when the schedule fired.
    query: `select s.id, m.name from schedule s join machine m on m.training_id = s.training_id
      where s.completed_at is not null and not s.missed and not m.spare
        -- A machine that was kept ready, or replaced another one, was not made with its order.
        and (select case when o.created_at = m.created_at then o.created_at
              else greatest(o.created_at, m.created_at, m.handed_over_at) end
            from machine_order o where o.id = m.order_id) < s.completed_at - interval '1 minute'
        and (m.terminated_at is null or m.terminated_at > s.completed_at)
        and not exists (select from schedule_outcome o where o.schedule_id = s.id and o.machine_id = m.id)`,
  },
  {
    name: 'C2 due',
    description: 'No due schedule stays pending.',
    when: 'quiet',
    query: `select id from schedule
      where completed_at is null and removed_at is null
        and coalesce(deferred_until, fires_at) < portal_now() - interval '1 minute'`,
  },
  {
    name: 'C3',
    description: 'A deleted training has no pending schedules.',
    when: 'always',
    query: `select s.id from schedule s join schedule_outcome o on o.schedule_id = s.id and o.outcome = 'acted'
        join machine m on m.id = o.machine_id where m.terminated_at <= s.completed_at
      union all select s.id from schedule s where s.completed_at is null and s.removed_at is null
        and exists (select from machine m where m.training_id = s.training_id)
        and not exists (select from machine m where m.training_id = s.training_id
          and (m.desired <> 'gone' or m.ended is not null))`,
  },
  {
    name: 'C4',
    description: 'A schedule fires at the first instant at which local time in its zone reaches its time.',
    when: 'always',
    query: `select id, date, time, time_zone, fires_at from schedule
      where (fires_at at time zone time_zone) < date + time
        or ((fires_at - interval '1 microsecond') at time zone time_zone) >= date + time
        or exists (select from generate_series(1, 6) half_hours
          where ((fires_at - half_hours * interval '30 minutes') at time zone time_zone) >= date + time)`,
  },
]
