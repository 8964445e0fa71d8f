import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { budget, Spending } from '../contract/budget.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { BudgetRow } from '../tables.gen.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { selectSpentByTraining } from './queries.ts'
import { monthOf, spentSince } from './spent.ts'

type Listed = ReplyOf<typeof budget.list>

export async function budgetsOf(db: Db, { id, name, timeZone }: OrganisationInScope): Promise<Listed> {
  const month = await monthOf(db, id)
  const spent = await spentSince(db, id, month.begins)
  const rows = await db.selectFrom('budget').selectAll().where('organisation_id', '=', id).execute()
  const of = (training: string | null) => viewOf(rows.find(({ training_id }) => training_id === training))
  const { rows: trainings } = await selectSpentByTraining(db, id)
  return {
    organization: name,
    timeZone,
    month: month.first.slice(0, 7),
    whole: { spentPaise: spent, budget: of(null) },
    trainings: trainings.map((training) => ({
      trainingName: training.name,
      spentPaise: training.spent,
      budget: of(training.id),
    })),
  }
}

function viewOf(row: BudgetRow | undefined): Spending['budget'] {
  if (row === undefined) return null
  return {
    amountPaise: row.amount_paise,
    spendingCap: row.spending_cap,
    usedUp: row.cap_reached_at !== null,
    setBy: row.set_by,
    setAt: row.set_at.toISOString(),
  }
}

export async function budgetOfTraining(db: Db, training: TrainingId): Promise<number | null> {
  const row = await db
    .selectFrom('budget')
    .select('amount_paise')
    .where('training_id', '=', training)
    .executeTakeFirst()
  return row?.amount_paise ?? null
}
