import { notFound } from '../../../core/errors.ts'
import type { Tx } from '../../../db/schema.ts'
import type { OrganisationInScope } from '../../people/organisation/scope.ts'
import { supplierToday } from '../meter/months.ts'
import { exactMatch } from './open.ts'

/**
 * Returns the invoice that a receipt settles, or null for the oldest first.
 * @param chosen by the payer; null: on account; undefined: the only invoice that is open with this amount, if there is one
 * @throws Problem notFound for a number that is no invoice of the organisation
 */
export async function settledBy(
  tx: Tx,
  { id }: Pick<OrganisationInScope, 'id'>,
  chosen: string | null | undefined,
  paise: number,
): Promise<string | null> {
  if (chosen === null) return null
  if (chosen === undefined) return exactMatch(tx, await supplierToday(tx), id, paise)
  const found = await tx
    .selectFrom('ledger_entry')
    .select('reference')
    .where('organisation_id', '=', id)
    .where('kind', '=', 'invoice')
    .where('reference', '=', chosen)
    .executeTakeFirst()
  if (found === undefined) throw notFound('invoice')
  return found.reference
}
