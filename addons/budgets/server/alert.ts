import type { budgetEvents } from '../contract/budget-event.ts'
import { budgetAlert } from './jobs.ts'
import { randomUUID } from 'node:crypto'
import type { BudgetAlertId, OrganisationId, TrainingId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { activeAdmins } from '@trainyard/users/server/admins.ts'
import { budgetName } from './budget-name.ts'
import { insertAlerts } from './queries.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { noticed, publish } from '@trainyard/users/server/notices.ts'

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
  for (const { percent } of rows) await tell(tx, subject, percent)
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

async function tell(
  tx: Tx,
  { organisation, training, kind, used, total }: AlertSubject,
  percent: number,
): Promise<void> {
  const place = { organisation, resource: `${kind}:${training ?? organisation}`, training }
  await publish<typeof budgetEvents>(tx, [
    kind === 'budget'
      ? { ...place, type: 'budget.reached', data: { percent, usedPaise: used, budgetPaise: total } }
      : { ...place, type: 'quota.reached', data: { percent, usedMinutes: used, allottedMinutes: total } },
  ])
  const notice = { audience: 'admins', organisation, training, about: null } as const
  await emit(tx, noticed, [
    kind === 'budget'
      ? {
          ...notice,
          kind: 'budget.reached',
          text: `${percent} % of the budget of ${await budgetName(tx, training)} is used.`,
          link: '/budgets',
        }
      : {
          ...notice,
          kind: 'quota.reached',
          text: `${percent} % of the allocated hours are used.`,
          link: '/vm/vmdetails',
        },
  ])
}
