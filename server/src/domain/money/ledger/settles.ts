import { sql } from 'kysely'
import { notFound } from '../../../core/errors.ts'
import type { Db } from '../../../db/schema.ts'
import type { OrganisationInScope } from '../../people/organisation/scope.ts'
import { supplierToday } from '../meter/months.ts'
import { isCancelled } from './entries.ts'
import { exactMatch } from './open.ts'
import { IS_WITHHELD } from './queries.ts'

/**
 * Returns the invoice that a receipt settles, or null for the oldest first. A withheld invoice is not proposed, and
 * only the supplier can choose it, because the customer has not received it.
 * @param chosen invoice that the payer chose; null for a payment on account; undefined for the only open invoice with
 * this amount, if there is one
 * @throws Problem notFound for a number that is no invoice of the organisation, is cancelled, or is withheld from the
 * customer
 */
export async function settledBy(
  db: Db,
  { id }: Pick<OrganisationInScope, 'id'>,
  chosen: string | null | undefined,
  paise: number,
  by: 'customer' | 'supplier',
): Promise<string | null> {
  if (chosen === null) return null
  if (chosen === undefined) return exactMatch(db, await supplierToday(db), id, paise)
  const found = await db
    .selectFrom('ledger_entry')
    .select('reference')
    .where('organisation_id', '=', id)
    .where('kind', '=', 'invoice')
    .where('reference', '=', chosen)
    .where(sql<boolean>`not exists (select from tax_document d
      where d.organisation_id = ${id} and d.number = ${chosen} and ${isCancelled('d')})`)
    .$if(by === 'customer', (query) =>
      query.where(sql<boolean>`not exists (select from tax_document d
        where d.organisation_id = ${id} and d.number = ${chosen} and ${IS_WITHHELD})`),
    )
    .executeTakeFirst()
  if (found === undefined) throw notFound('invoice')
  return found.reference
}
