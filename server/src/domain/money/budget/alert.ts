import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { BudgetAlertId, OrganisationId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import { writeAudit } from '../../../core/audit.ts'
import type { Tx } from '../../../db/schema.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { activeAdmins } from '../../people/organisation/admins.ts'

export interface AlertSubject {
  readonly organisation: OrganisationId
  readonly training: TrainingId | null
  readonly kind: 'budget' | 'quota'
  /** First day of the month; null for a training's budget. */
  readonly month: string | null
  readonly used: number
  readonly total: number
}

/**
 * Stores new alerts. If several thresholds are new, each admin of the organisation receives an e-mail about the highest
 * threshold only.
 */
export async function raiseAlerts(
  tx: Tx,
  jobs: JobQueue,
  subject: AlertSubject,
  reached: readonly number[],
): Promise<void> {
  if (reached.length === 0) return
  const { organisation, training, kind, month, used, total } = subject
  const { rows } = await sql<{ id: BudgetAlertId; percent: number }>`
    insert into budget_alert (organisation_id, training_id, kind, month, used, total, percent)
    select ${organisation}, ${training}, ${kind}, ${month}, ${used}, ${total}, percent
    from unnest(${reached}::integer[]) as percent
    on conflict do nothing returning id, percent`.execute(tx)
  const highest = rows.toSorted((a, b) => b.percent - a.percent)[0]
  if (highest === undefined) return
  const admins = await activeAdmins(tx, organisation)
  const mails = admins.map(({ id }): { alert: BudgetAlertId; user: UserId } => ({ alert: highest.id, user: id }))
  if (mails.length > 0) await jobs.enqueue(tx, 'budget.alert', mails)
  const asked = {
    training,
    kind,
    month,
    used,
    total,
    percents: rows.map(({ percent }) => percent),
    mailed: mails.length,
  }
  await writeAudit(tx, { call: 'budget.alert', requestId: randomUUID(), actor: null, organisation, request: asked })
}
