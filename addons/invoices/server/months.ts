import type { SupplierSettings } from '../contract/supplier.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { isCancelled } from './conditions.ts'
import { lastMonths, supplierToday } from '@trainyard/usage/server/months.ts'

const MONTHS = 24

/**
 * Returns the closed months, newest first. On the first day after a month, the ends of its last runs may still be
 * unreported, so it is not closed yet.
 */
export async function closedMonths(db: Db, { firstMonth }: SupplierSettings): Promise<string[]> {
  if (firstMonth === null) return []
  const today = await supplierToday(db)
  const ended = (await lastMonths(db, MONTHS)).map((month) => month.slice(0, 7))
  return (today.endsWith('-01') ? ended.slice(1) : ended).filter((month) => month >= firstMonth)
}

/** @throws Problem conflict */
export async function requireClosedMonth(db: Db, settings: SupplierSettings, month: string): Promise<void> {
  if ((await closedMonths(db, settings)).includes(month)) return
  throw conflict(
    'A month can be invoiced from the second day of the next month, and not before the first month in the supplier settings.',
  )
}

/** Returns the cancelled invoices of a month by organisation; the newest, if there are several. */
export async function cancelledIn(db: Db, month: string): Promise<ReadonlyMap<OrganisationId, string>> {
  const rows = await db
    .selectFrom('tax_document as d')
    .select(['organisation_id', 'number'])
    .where('month', '=', `${month}-01`)
    .where(isCancelled('d'))
    .orderBy('month_issue')
    .execute()
  return new Map(rows.map(({ organisation_id, number }) => [organisation_id, number]))
}
