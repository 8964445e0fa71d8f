import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { budget, Spending } from '@trainyard/contract/calls/budget.ts'
import type { Db } from '../../../db/schema.ts'
import type { BudgetRow } from '../../../db/tables/budgets.gen.ts'
import { billByMachine } from '../meter/used.ts'
import type { OrganisationInScope } from '../../people/organisation/scope.ts'
import { monthOf, spentSince } from './spent.ts'

type Listed = ReplyOf<typeof budget.list>

export async function budgetsOf(db: Db, { id, name, timeZone }: OrganisationInScope): Promise<Listed> {
  const month = await monthOf(db, id)
  const spent = await spentSince(db, id, month.begins)
  const rows = await db.selectFrom('budget').selectAll().where('organisation_id', '=', id).execute()
  const of = (training: string | null) => viewOf(rows.find(({ training_id }) => training_id === training))
  const { rows: trainings } = await sql<{ id: string; name: string; spent: number }>`
    select t.id, t.name, coalesce(used.amount, 0)::bigint as spent from training t
    left join (
      select m.training_id, sum(bill.amount) as amount
      from ${billByMachine(sql`select id from machine where organisation_id = ${id}`)} as bill
      join machine m on m.id = bill.machine_id group by m.training_id) as used on used.training_id = t.id
    where t.organisation_id = ${id} and t.removed_at is null order by t.name`.execute(db)
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
    lastDay: row.last_day,
    setBy: row.set_by,
    setAt: row.set_at.toISOString(),
  }
}
