import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { billByMachine } from '@trainyard/usage/server/queries.ts'
import { billByMachineBefore } from '@trainyard/usage/server/used.ts'
import { selectMonth, type Month } from './queries.ts'

/** Subject of a budget. `training` is null for the whole organisation. */
export interface BudgetSubject {
  readonly organisation: OrganisationId
  readonly training: TrainingId | null
}

export async function monthOf(db: Db, organisation: OrganisationId): Promise<Month> {
  const { rows } = await selectMonth(db, organisation)
  return rows[0]!
}

/** Returns the cost, rounded once per machine. It equals the bill. */
async function spentByTraining(db: Db, training: TrainingId): Promise<Paise> {
  return sumOf(
    db,
    sql`select sum(amount) from ${billByMachine(sql`
    select id from machine where training_id = ${training}`)} as used`,
  )
}

/**
 * Returns the cost since an instant. The cost of a machine is its bill now minus its bill at that instant, so that
 * months add up to the bill.
 */
export async function spentSince(db: Db, organisation: OrganisationId, since: Date): Promise<Paise> {
  const ran = sql`select m.id from machine m where m.organisation_id = ${organisation} and exists (
    select from run r where r.machine_id = m.id and (r.stopped_at is null or r.stopped_at > ${since}))`
  return sumOf(
    db,
    sql`with ran as materialized (${ran})
    select sum(used.amount - coalesce(earlier.amount, 0))
    from ${billByMachine(sql`select id from ran`)} as used
    left join ${billByMachineBefore(sql`select id from ran`, since)} as earlier on earlier.machine_id = used.machine_id`,
  )
}

/** Returns what counts towards the budget of a subject: the total of a training, the current month of an organisation. */
export async function spentNow(db: Db, { organisation, training }: BudgetSubject): Promise<Paise> {
  return training === null
    ? spentSince(db, organisation, (await monthOf(db, organisation)).begins)
    : spentByTraining(db, training)
}

export async function maxCostPerHour(db: Db, { organisation, training }: BudgetSubject): Promise<number> {
  return sumOf(
    db,
    sql`select sum(paise_per_hour) from machine where organisation_id = ${organisation}
    and (${training}::uuid is null or training_id = ${training}) and terminated_at is null`,
  )
}

async function sumOf(db: Db, sums: RawBuilder<unknown>): Promise<Paise> {
  const { rows } = await sql<{ sum: number }>`select coalesce((${sums}), 0)::bigint as sum`.execute(db)
  return paise(rows[0]!.sum)
}
