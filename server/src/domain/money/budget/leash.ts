import { type RawBuilder, sql } from 'kysely'
import { leashSentence, monthLeashSentence } from '@trainyard/contract/words/budget.ts'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'

/** A condition for queries that have `machine`: a budget's leash keeps it off. */
export const isLeashed: RawBuilder<boolean> = sql<boolean>`exists (
  select from budget b where b.leashed_at is not null and b.organisation_id = machine.organisation_id
    and (b.training_id is null or b.training_id = machine.training_id))`

/** Returns, for each of these trainings that a leash holds, the sentence why. */
export async function leashesOf(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
  const { rows } = await sql<{ id: TrainingId; training: string; organisation: string; whole: boolean }>`
    select t.id, t.name as training, o.name as organisation, b.training_id is null as whole
    from training t join organisation o on o.id = t.organisation_id
    join budget b on b.organisation_id = t.organisation_id and (b.training_id is null or b.training_id = t.id)
    where t.id = any(${trainings}::uuid[]) and b.leashed_at is not null
    order by whole`.execute(db)
  return new Map(
    rows.map(({ id, training, organisation, whole }) => {
      return [id, whole ? monthLeashSentence(organisation) : leashSentence(training)]
    }),
  )
}

/** @throws Problem conflict where a leash holds one of these trainings */
export async function refuseLeashed(tx: Tx, trainings: readonly TrainingId[]): Promise<void> {
  const [sentence] = (await leashesOf(tx, trainings)).values()
  if (sentence !== undefined) throw conflict(sentence)
}

/** @throws Problem conflict where the leash of the whole organisation holds */
export async function refuseLeashedOrganisation(tx: Tx, organisation: OrganisationId): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select o.name from budget b join organisation o on o.id = b.organisation_id
    where b.organisation_id = ${organisation} and b.training_id is null and b.leashed_at is not null`.execute(tx)
  if (rows[0] !== undefined) throw conflict(monthLeashSentence(rows[0].name))
}
