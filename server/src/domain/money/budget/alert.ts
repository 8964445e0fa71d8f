import { budgetAlert } from './jobs.ts'
import { randomUUID } from 'node:crypto'
import type { BudgetAlertId, OrganisationId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import { writeAudit } from '../../../core/audit.ts'
import type { Tx } from '../../../db/schema.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { activeAdmins } from '../../people/organisation/admins.ts'
import { insertAlerts } from './queries.ts'

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
  const { rows } = await insertAlerts(tx, { organisation, training, kind, month, used, total, reached })
  const highest = rows.toSorted((a, b) => b.percent - a.percent)[0]
  if (highest === undefined) return
  const admins = await activeAdmins(tx, organisation)
  const mails = admins.map(({ id }): { alert: BudgetAlertId; user: UserId } => ({ alert: highest.id, user: id }))
  if (mails.length > 0) await jobs.enqueue(tx, budgetAlert, mails)
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
