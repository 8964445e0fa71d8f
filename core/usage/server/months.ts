import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import {
  selectSupplierToday,
  selectUsedBetween,
  selectLastMonths,
  lockChargingOf,
  type TrainingUse,
} from './queries.ts'

/** Returns the supplier's current day, which dates documents. */
export async function supplierToday(db: Db): Promise<string> {
  const { rows } = await selectSupplierToday(db)
  return rows[0]!.day
}

export async function usedBetween(db: Db, from: Date, to: Date): Promise<TrainingUse[]> {
  const { rows } = await selectUsedBetween(db, from, to)
  return rows
}

export async function lastMonths(db: Db, count: number): Promise<string[]> {
  const { rows } = await selectLastMonths(db, count)
  return rows.map(({ month }) => month)
}

/** Serialises charges, so that usage is never charged twice. */
export async function lockCharging(tx: Tx, organisation: OrganisationId): Promise<void> {
  await lockChargingOf(tx, organisation)
}
