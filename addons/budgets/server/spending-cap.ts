import { type RawBuilder, sql } from 'kysely'
import { spendingCapSentence, monthlySpendingCapSentence } from '../contract/budget-words.ts'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Refusal, StartRefusal } from '@trainyard/machines/server/may-start.ts'
import { selectCapReasons, selectOrganisationCap } from './queries.ts'

/** SQL: true if a spending cap applies, for queries on `machine`. */
export const isOverSpendingCap: RawBuilder<boolean> = sql<boolean>`exists (
  select from budget b where b.cap_reached_at is not null and b.organisation_id = machine.organisation_id
    and (b.training_id is null or b.training_id = machine.training_id))`

/** Returns the sentences of the spending caps that are reached, by training. */
export async function spendingCapReasons(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
  const { rows } = await selectCapReasons(db, trainings)
  return new Map(
    rows.map(({ id, training, organisation, whole }) => {
      return [id, whole ? monthlySpendingCapSentence(organisation) : spendingCapSentence(training)]
    }),
  )
}

/** Organisations with a spending cap that is reached. */
export const OVER_SPENDING_CAP = sql`select organisation_id from budget where cap_reached_at is not null`

export async function capRefusals(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, StartRefusal>> {
  const reasons = [...(await spendingCapReasons(db, trainings))]
  return new Map(
    reasons.map(([id, sentence]) => [id, { sentence, toLearners: sentence, brief: 'the budget is used up' }]),
  )
}

/** Returns why an organisation must not order: its own spending cap is reached. */
export async function capOrderRefusal(tx: Tx, organisation: OrganisationId): Promise<Refusal | null> {
  const { rows } = await selectOrganisationCap(tx, organisation)
  if (rows[0] === undefined) return null
  const sentence = monthlySpendingCapSentence(rows[0].name)
  return { sentence, toLearners: sentence }
}
