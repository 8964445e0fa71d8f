import { sql } from 'kysely'
import type { BudgetAlert } from '@trainyard/contract/calls/budget.ts'
import type { BudgetAlertId, OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'

const LIMIT = 20

/** Returns the latest alert per budget or quota, while its amount is unchanged and its month has not ended. */
export async function alertsFor(db: Db, organisation: OrganisationId, user: UserId): Promise<BudgetAlert[]> {
  const { rows } = await sql<Omit<BudgetAlert, 'at'> & { at: Date }>`
    select id as "_id", training as "trainingName", kind, percent, used, total, at from (
      select distinct on (a.training_id, a.kind) a.*, t.name as training
      from budget_alert a join organisation o on o.id = a.organisation_id left join training t on t.id = a.training_id
      where a.organisation_id = ${organisation} and t.removed_at is null
        and (a.month is null or a.month = date_trunc('month', portal_now() at time zone o.time_zone)::date)
        and a.total = case a.kind
          when 'budget' then (select amount_paise from budget b
            where b.organisation_id = a.organisation_id and b.training_id is not distinct from a.training_id)
          else (select sum(allotted_minutes) from machine m where m.training_id = a.training_id) end
      order by a.training_id, a.kind, a.at desc, a.percent desc) as latest
    where not exists (select from budget_alert_seen s where s.alert_id = latest.id and s.user_id = ${user})
    order by at desc, id limit ${LIMIT}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** @throws Problem notFound, also for an alert of another organisation */
export async function dismissAlert(tx: Tx, actor: Actor, id: BudgetAlertId): Promise<void> {
  let found = tx.selectFrom('budget_alert').select('id').where('id', '=', id)
  if (actor.role !== 'superadmin') {
    if (actor.organisation === null) throw notFound('alert')
    found = found.where('organisation_id', '=', actor.organisation.id)
  }
  if ((await found.executeTakeFirst()) === undefined) throw notFound('alert')
  await tx
    .insertInto('budget_alert_seen')
    .values({ alert_id: id, user_id: actor.id })
    .onConflict((on) => on.doNothing())
    .execute()
}
