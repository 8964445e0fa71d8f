import { sql } from 'kysely'
import type { Tx, Db } from '../db/schema.ts'

/** Channel on which workers are notified of new jobs. The payload is the queue's name. */
export const JOB_DUE = 'job_due'

export const notifyJobDue = (tx: Tx, name: string) => sql`select pg_notify(${JOB_DUE}, ${name})`.execute(tx)

export const countMachinesByState = (db: Db) =>
  sql<{ observed: string; count: number }>`
    select observed, count(*)::int as count from machine where terminated_at is null group by observed`.execute(db)

export const selectGauges = (db: Db) =>
  sql<{ orders: number; paise: number; oldest: number; mails: number; waits: number; hooks: number; delay: number }>`
    select orders, paise, oldest, mails, waits, hooks, delay from
      (select count(*)::int as orders, coalesce(sum(amount_paise), 0)::float8 as paise,
        coalesce(extract(epoch from portal_now() - min(created_at) filter (where attempts > 0)), 0)::float8 as oldest
        from payment where reconcile_at is not null and paid_at is null) as money,
      (select count(*)::int as mails,
        coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as waits
        from pgboss.job where state < 'active' and name <> 'machine.capture') as mail,
      (select count(*)::int as hooks from webhook_delivery where state = 'pending') as hook,
      (select coalesce(extract(epoch from portal_now() - min(l.due_at)), 0)::float8 as delay
        from webhook_lane l join webhook_endpoint e on e.id = l.endpoint_id
        where l.due_at < portal_now() and e.disabled_at is null and e.failing_since is null) as late`.execute(db)
