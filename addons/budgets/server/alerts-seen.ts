import type { BudgetAlert } from '../contract/budget.ts'
import type { BudgetAlertId, OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { selectUnseenAlerts } from './queries.ts'
import { spentNow } from './spent.ts'

/**
 * Returns the latest alert per budget or quota, while its amount is unchanged and its month has not ended. The used part
 * of a budget is the current one.
 */
export async function alertsFor(db: Db, organisation: OrganisationId, user: UserId): Promise<BudgetAlert[]> {
  const { rows } = await selectUnseenAlerts(db, organisation, user)
  const alerts: BudgetAlert[] = []
  for (const { trainingId, ...row } of rows) {
    const used = row.kind === 'quota' ? row.used : await spentNow(db, { organisation, training: trainingId })
    alerts.push({ ...row, used, at: row.at.toISOString() })
  }
  return alerts
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
