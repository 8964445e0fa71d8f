import { sql } from 'kysely'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import { type AnswerTo, sqlOf } from '@trainyard/platform/server/core/events.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { isOfCancelled } from '@trainyard/ledger/server/entries.ts'
import { exactMatch } from './open.ts'
import { isHeld } from './hooks.ts'
import type { settles } from '@trainyard/ledger/server/settled-by.ts'

/**
 * Returns the invoice that a receipt settles: the chosen one, or the only open one with this amount. A withheld invoice
 * is not proposed, and only the supplier can choose it, because the customer has not received it.
 * @throws Problem notFound for a number that is no invoice of the organisation, is cancelled, or is withheld from the
 * customer
 */
export const invoiceSettledBy: AnswerTo<typeof settles> = async (db, { organisation: id, chosen, paise, by }) => {
  if (chosen === undefined) return exactMatch(db, await supplierToday(db), id, paise)
  const found = await db
    .selectFrom('ledger_entry as e')
    .select('reference')
    .where('organisation_id', '=', id)
    .where('kind', '=', 'invoice')
    .where('reference', '=', chosen)
    .where(sql<boolean>`not ${isOfCancelled('e')}`)
    .$if(by === 'customer', (query) => query.where(sql<boolean>`not ${sqlOf(isHeld, 'e')}`))
    .executeTakeFirst()
  if (found === undefined) throw notFound('invoice')
  return found.reference
}
