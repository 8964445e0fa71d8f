import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { updatePresentPrices } from '@trainyard/machines/server/queries.ts'
import { lockPrices, ratesChanged, splitRuns } from '@trainyard/usage/server/prices.ts'
import { selectOrganisationsWithDueChanges, deleteDueChanges, lockLiveMachines } from './queries.ts'

export const PRICE_CHANGE_DUE = sql<boolean>`(
  select true from price_change where at <= portal_now() order by at limit 1)`

/** Applies the price changes that are due, each organisation in a separate transaction. */
export async function applyPriceChanges(db: Db, signal: AbortSignal): Promise<void> {
  const { rows } = await selectOrganisationsWithDueChanges(db)
  for (const { organisation } of rows) {
    signal.throwIfAborted()
    await db.transaction().execute((tx) => applyToOrganisation(tx, organisation))
  }
}

export async function applyToOrganisation(tx: Tx, organisation: OrganisationId): Promise<void> {
  await lockPrices(tx, organisation, 'change')
  const { rows: due } = await deleteDueChanges(tx, organisation)
  if (due.length === 0) return
  const { rows: machines } = await lockLiveMachines(tx, organisation)
  const ids = machines.map(({ id }) => id)
  await splitRuns(tx, ids)
  await updatePresentPrices(tx, ids)
  const trainings = new Set(machines.map((machine) => machine.training))
  await emit(
    tx,
    ratesChanged,
    [...trainings].map((training) => ({ organisation, training })),
  )
}
