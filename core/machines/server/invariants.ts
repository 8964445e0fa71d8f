import { SECONDS } from '@trainyard/usage/server/invariants.ts'
import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'Q2',
    description: 'The stored time at which the quota ends matches the runs.',
    when: 'always',
    query: `select id, quota_ends_at, wanted from (
        select m.id, m.quota_ends_at, (select o.started_at + make_interval(secs => (m.allotted_minutes * 60
          - coalesce((select sum(${SECONDS}) from run r where r.machine_id = m.id and r.stopped_at is not null), 0))::float8)
          from run o where o.machine_id = m.id and o.stopped_at is null) as wanted
        from machine m where m.terminated_at is null) q
      where quota_ends_at is distinct from wanted`,
  },
  {
    name: 'Q1',
    description: 'A machine that has used up its quota does not have the desired state "running".',
    when: 'quiet',
    query: `select m.id from machine m join run r on r.machine_id = m.id
      where m.allotted_minutes is not null and m.desired = 'running'
      group by m.id having sum(${SECONDS}) >= m.allotted_minutes * 60 + 60`,
  },
  {
    name: 'S2',
    description: 'An order has exactly one machine for each of its e-mails.',
    when: 'always',
    query: `select o.id from machine_order o left join machine m on m.order_id = o.id
      group by o.id having count(m.id) <> o.machine_count or count(distinct m.ordered_for) <> count(m.id)`,
  },
  {
    name: 'S4',
    description: 'A terminated machine has no password and no pending work.',
    when: 'always',
    query: `select id from machine where terminated_at is not null and (admin_password is not null
      or reconcile_at is not null or leased_until is not null or desired <> 'gone' or observed <> 'absent')`,
  },
  {
    name: 'S5',
    description: 'A machine that differs from its desired state has a scheduled retry or a final error.',
    when: 'always',
    query: `select id, name, desired, observed from machine where terminated_at is null and reconcile_at is null
      and not (refused and last_error is not null) and ((desired <> observed and not create_later) or restart_asked_at is not null or reset_asked_at is not null or last_error is not null or command is not null
        or (password_due and desired = 'running'))`,
  },
  {
    name: 'S6',
    description: 'A machine that should be stopped is not billed ten minutes later.',
    when: 'quiet',
    query: `select m.id from machine m join run r on r.machine_id = m.id and r.stopped_at is null
      where m.desired = 'stopped' and m.observed = 'running' and m.observed_at < portal_now() - interval '10 minutes'`,
  },
  {
    name: 'S7',
    description: 'When nothing is changing, every machine is in its desired state.',
    when: 'quiet',
    query: `select id, name, desired, observed, last_error from machine
      where terminated_at is null and (leased_until > portal_now()
        or (desired <> observed and not create_later and not (refused and last_error is not null and desired = 'running')))`,
  },
  {
    name: 'S8',
    description: 'A machine has an open operation of a capture exactly while its image is being captured.',
    when: 'always',
    query: `select machine_id from (select machine_id, id from image where ready_at is null and failed is null) i
        full join (select machine_id, id from operation where closed_at is null and kind = 'capture') o using (machine_id)
      where i.id is null or o.id is null`,
  },
  {
    name: 'T1',
    description: 'Machines, orders, trainings and runs that belong together have the same organisation.',
    when: 'always',
    query: `select m.id from machine m join training t on t.id = m.training_id join machine_order o on o.id = m.order_id
      where m.organisation_id <> t.organisation_id or o.organisation_id <> t.organisation_id
      union all select r.machine_id from run r join machine m on m.id = r.machine_id
      where r.organisation_id <> m.organisation_id`,
  },
]
