import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectAdvanceBefore } from '@trainyard/ledger/server/queries.ts'

/**
 * Returns the unused part of the money that an organisation paid in advance before a day. Adds payments and deducted
 * tax dated before the day, and subtracts refunds and everything that was invoiced until now.
 */
export async function advanceBefore(db: Db, organisation: OrganisationId, day: string): Promise<Paise> {
  const { rows } = await selectAdvanceBefore(db, organisation, day)
  return paise(rows[0]!.left)
}
