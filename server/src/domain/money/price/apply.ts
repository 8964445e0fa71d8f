import { sql } from 'kysely'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { scheduleEvaluation } from '../budget/evaluate.ts'
import { schedulePrepaidAccounts } from '../credit/evaluate.ts'
import { lockPrices, setPresentPrices, splitRuns } from '../meter/customer-prices.ts'

export const PRICE_CHANGE_DUE = sql<boolean>`(
  select true from price_change where at <= portal_now() order by at limit 1)`

/** Applies the price changes that are due, each organisation in a separate transaction. */
export async function applyPriceChanges(db: Db, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ organisation: OrganisationId }>`
    select distinct organisation_id as organisation from price_change where at <= portal_now()`.execute(db)
  for (const { organisation } of rows) {
    signal.throwIfAborted()
    await db.transaction().execute((tx) => applyToOrganisation(tx, organisation))
  }
}

export async function applyToOrganisation(tx: Tx, organisation: OrganisationId): Promise<void> {
  await lockPrices(tx, organisation, 'change')
  const { rows: due } = await sql<{ at: Date }>`
    delete from price_change where organisation_id = ${organisation} and at <= portal_now() returning at`.execute(tx)
  if (due.length === 0) return
  const { rows: machines } = await sql<{ id: MachineId; training: TrainingId }>`
    select id, training_id as training from machine
    where organisation_id = ${organisation} and terminated_at is null order by id for update`.execute(tx)
  const ids = machines.map(({ id }) => id)
  await splitRuns(tx, ids)
  await setPresentPrices(tx, ids)
  await schedulePrepaidAccounts(tx, organisation)
  for (const training of new Set(machines.map((machine) => machine.training))) {
    await scheduleEvaluation(tx, { organisation_id: organisation, training_id: training })
  }
}
