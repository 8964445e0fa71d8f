import { type RawBuilder, sql } from 'kysely'
import { spendingCapSentence, monthlySpendingCapSentence } from '@trainyard/contract/words/budget.ts'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'

/** SQL: true if a spending cap applies, for queries on `machine`. */
export const isOverSpendingCap: RawBuilder<boolean> = sql<boolean>`exists (
  select from budget b where b.cap_reached_at is not null and b.organisation_id = machine.organisation_id
    and (b.training_id is null or b.training_id = machine.training_id))`

/** Returns the sentences of the spending caps that are reached, by training. */
export async function spendingCapReasons(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
  const { rows } = await sql<{ id: TrainingId; training: string; organisation: string; whole: boolean }>`
    select t.id, t.name as training, o.name as organisation, b.training_id is null as whole
    from training t join organisation o on o.id = t.organisation_id
    join budget b on b.organisation_id = t.organisation_id and (b.training_id is null or b.training_id = t.id)
    where t.id = any(${trainings}::uuid[]) and b.cap_reached_at is not null
    order by whole`.execute(db)
  return new Map(
    rows.map(({ id, training, organisation, whole }) => {
      return [id, whole ? monthlySpendingCapSentence(organisation) : spendingCapSentence(training)]
    }),
  )
}

/** @throws Problem conflict if the organisation's own spending cap is reached */
export async function requireCapToOrder(tx: Tx, organisation: OrganisationId): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select o.name from budget b join organisation o on o.id = b.organisation_id
    where b.organisation_id = ${organisation} and b.training_id is null and b.cap_reached_at is not null`.execute(tx)
  if (rows[0] !== undefined) throw conflict(monthlySpendingCapSentence(rows[0].name))
}
