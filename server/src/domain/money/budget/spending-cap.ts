import { type RawBuilder, sql } from 'kysely'
import { spendingCapSentence, monthlySpendingCapSentence } from '@trainyard/contract/words/budget.ts'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { creditRefusals, keptOffReasons, requireCreditToOrder, requireCreditToStart } from '../credit/refusals.ts'

/** For queries on `machine`. */
export const isOverSpendingCap: RawBuilder<boolean> = sql<boolean>`exists (
  select from budget b where b.cap_reached_at is not null and b.organisation_id = machine.organisation_id
    and (b.training_id is null or b.training_id = machine.training_id))`

async function spendingCapReasons(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
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

/** Returns why machines of trainings stay off: a spending cap, prepaid credit that is used up, or an overdue invoice. */
export async function stayOffReasons(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
  return new Map([...(await keptOffReasons(db, trainings)), ...(await spendingCapReasons(db, trainings))])
}

/** Returns why machines of trainings must not start, in the brief form of the outcome of a schedule. */
export async function startRefusals(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
  const refusals = new Map([...(await creditRefusals(db, trainings))].map(([id, { brief }]) => [id, brief]))
  for (const id of (await spendingCapReasons(db, trainings)).keys()) refusals.set(id, 'the budget is used up')
  return refusals
}

/** @throws Problem conflict if a spending cap or the credit terms keep machines of one of the trainings off */
export async function requireMayStart(tx: Tx, trainings: readonly TrainingId[]): Promise<void> {
  const [sentence] = (await spendingCapReasons(tx, trainings)).values()
  if (sentence !== undefined) throw conflict(sentence)
  await requireCreditToStart(tx, trainings)
}

/** @throws Problem conflict if the organisation's own spending cap or its credit terms refuse orders */
export async function requireMayOrder(tx: Tx, organisation: OrganisationId): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select o.name from budget b join organisation o on o.id = b.organisation_id
    where b.organisation_id = ${organisation} and b.training_id is null and b.cap_reached_at is not null`.execute(tx)
  if (rows[0] !== undefined) throw conflict(monthlySpendingCapSentence(rows[0].name))
  await requireCreditToOrder(tx, organisation)
}
