import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

interface Receipt {
  readonly organisation: OrganisationId
  /** Invoice that the payer chose; undefined: none. */
  readonly chosen: string | undefined
  readonly paise: number
  readonly by: 'customer' | 'supplier'
}

/** Asks which invoice a receipt settles. Null: the oldest first. Throws a Problem for a choice that is not allowed. */
export const settles = hook<Receipt, string | null>('ledger.settles', null, (first, second) => first ?? second)

/**
 * Returns the invoice that a receipt settles, or null for the oldest first.
 * @param chosen invoice that the payer chose; null for a payment on account; undefined for the only open invoice with
 * this amount, if there is one
 * @throws Problem invalid for a choice if no module settles single invoices
 */
export async function settledBy(
  db: Db,
  { id }: { readonly id: OrganisationId },
  chosen: string | null | undefined,
  paise: number,
  by: 'customer' | 'supplier',
): Promise<string | null> {
  if (chosen === null) return null
  const answer = await ask(db, settles, { organisation: id, chosen, paise, by })
  if (answer === null && chosen !== undefined)
    throw new Problem('invalid', 'Payments settle the oldest invoices first in this portal.')
  return answer
}
