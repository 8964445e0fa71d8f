import { formatRupees, paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import type { BudgetAlertId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { BudgetRow } from '../tables.gen.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { trainingIgnoringWindow } from '@trainyard/trainings/server/scope.ts'
import { alertsFor, dismissAlert } from './alerts-seen.ts'
import { evaluateBudget } from './evaluate.ts'
import { budgetsOf } from './list.ts'
import { upsertBudget, lockBudgetOf } from './queries.ts'
import type { BudgetSubject } from './spent.ts'
import { allMachinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

export function budgetHandlers({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'budget'> {
  return {
    async list(db, { actor, query }) {
      return budgetsOf(db, await organisationInScope(db, actor, query.organization))
    },

    async set(tx, { actor, body, auditChange }) {
      const { organisation, training, name } = await subjectOf(tx, actor, body)
      await lockOrganisation(tx, organisation, 'use')
      const before = await lockBudget(tx, { organisation, training })
      const { rows } = await upsertBudget(tx, {
        organisation,
        training,
        amount: paiseOfRupees(body.amount),
        spendingCap: body.spendingCap,
        email: actor.email,
      })
      // The budget is evaluated immediately, so that a start right after its increase is not refused.
      await evaluateBudget(tx, jobs, rows[0]!)
      if (before !== null && before.cap_reached_at !== null) await allMachinesChanged(tx, organisation, training)
      auditChange(before && budgetView(before), budgetView(rows[0]!))
      return { message: `The budget of ${name} is ${formatRupees(body.amount)}.` }
    },

    async remove(tx, { actor, body, auditChange }) {
      const { organisation, training, name } = await subjectOf(tx, actor, body)
      const before = await lockBudget(tx, { organisation, training })
      if (before === null) throw conflict(`${name} has no budget.`)
      await tx.deleteFrom('budget').where('id', '=', before.id).execute()
      if (before.cap_reached_at !== null) await allMachinesChanged(tx, organisation, training)
      auditChange(budgetView(before), null)
      return { message: `Budget of ${name} removed.` }
    },

    async alerts(db, { actor, query }) {
      const { id } = await organisationInScope(db, actor, query.organization)
      return { alerts: await alertsFor(db, id, actor.id) }
    },

    async putAway(tx, { actor, body }) {
      await dismissAlert(tx, actor, body._id as BudgetAlertId)
      return { message: 'Alert dismissed.' }
    },
  }
}

interface BudgetOf {
  readonly organization?: string | undefined
  readonly trainingName?: string | undefined
}

async function subjectOf(db: Db | Tx, actor: Actor, of: BudgetOf): Promise<BudgetSubject & { readonly name: string }> {
  const { trainingName, organization } = of
  if (trainingName === undefined) {
    const { id, name } = await organisationInScope(db, actor, organization)
    return { organisation: id, training: null, name }
  }
  const { id, name, organisationId } = await trainingIgnoringWindow(db, actor, { trainingName, organization })
  return { organisation: organisationId, training: id, name }
}

async function lockBudget(
  tx: Tx,
  {
    organisation,
    training,
  }: { readonly organisation: BudgetSubject['organisation']; readonly training: TrainingId | null },
): Promise<BudgetRow | null> {
  const { rows } = await lockBudgetOf(tx, organisation, training)
  return rows[0] ?? null
}

const budgetView = ({ amount_paise, spending_cap }: BudgetRow) => ({
  amountPaise: amount_paise,
  spendingCap: spending_cap,
})
