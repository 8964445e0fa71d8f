import { sql } from 'kysely'
import { formatRupees, type Paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import type { OrganisationInScope } from '../../people/organisation/scope.ts'

/** By how much an entry raises what is owed, as `owedBy` has it. */
export const OWED = sql`case when kind in ('invoice', 'refund') then amount_paise else -amount_paise end`

/** Returns the paise that an organisation owes; below zero, those it has paid ahead. */
export async function balanceOf(db: Db, organisation: OrganisationId): Promise<Paise> {
  const sums = await db
    .selectFrom('ledger_balance')
    .select(['invoice_paise', 'payment_paise'])
    .where('organisation_id', '=', organisation)
    .executeTakeFirst()
  return (sums === undefined ? 0 : sums.invoice_paise - sums.payment_paise) as Paise
}

/** @throws Problem conflict while the organisation owes something, or has something left */
export async function mustBeSettled(tx: Tx, { id, name }: OrganisationInScope): Promise<void> {
  const balance = await balanceOf(tx, id)
  if (balance === 0) return
  const amount = formatRupees(rupeesOfPaise(Math.abs(balance) as Paise))
  throw conflict(
    balance > 0
      ? `${name} still owes ${amount}. Settle its ledger first.`
      : `${name} has ${amount} left. Pay it back first.`,
  )
}
