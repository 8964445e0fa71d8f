import type { SupplierSettings } from '@trainyard/contract/calls/supplier.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db } from '../../../db/schema.ts'
import { lastMonths } from '../meter/months.ts'
import { supplierToday } from './draft.ts'

/** Months back that the run looks at: what is older is left to people. */
const MONTHS = 24

/**
 * Returns the months (YYYY-MM) that may be invoiced, newest first. The first day of a month the one before is not closed
 * yet: when its last runs ended is still being told.
 */
export async function closedMonths(db: Db, { firstMonth }: SupplierSettings): Promise<string[]> {
  if (firstMonth === null) return []
  const today = await supplierToday(db)
  const ended = (await lastMonths(db, MONTHS)).map((month) => month.slice(0, 7))
  return (today.endsWith('-01') ? ended.slice(1) : ended).filter((month) => month >= firstMonth)
}

/** @throws Problem conflict for a month that is not to be invoiced, or not yet */
export async function refuseOpenMonth(db: Db, settings: SupplierSettings, month: string): Promise<void> {
  if ((await closedMonths(db, settings)).includes(month)) return
  throw conflict(
    'Invoices are issued for months that have ended, from the second day of the next, and not before the first month of the supplier’s settings.',
  )
}
