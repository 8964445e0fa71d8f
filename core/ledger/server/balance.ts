import { sql } from 'kysely'
import { formatRupees, type Paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'

/** SQL expression: amount that a ledger entry adds to the balance, in paise. */
export const BALANCE_CHANGE_SQL = sql`balance_change(kind, amount_paise)`

/** Returns the balance in paise; negative if prepaid. */
export async function balanceOf(db: Db, organisation: OrganisationId): Promise<Paise> {
  const sums = await db
    .selectFrom('ledger_balance')
    .select(['invoice_paise', 'payment_paise'])
    .where('organisation_id', '=', organisation)
    .executeTakeFirst()
  return (sums === undefined ? 0 : sums.invoice_paise - sums.payment_paise) as Paise
}

/** @throws Problem conflict unless the organisation's balance is zero */
export async function requireSettled(tx: Tx, { id, name }: OrganisationInScope): Promise<void> {
  const balance = await balanceOf(tx, id)
  if (balance === 0) return
  const amount = formatRupees(rupeesOfPaise(Math.abs(balance) as Paise))
  throw conflict(
    balance > 0
      ? `${name} still owes ${amount}. Settle its ledger first.`
      : `${name} has a credit of ${amount}. Refund it first.`,
  )
}

/** Returns the part of the credit limit that the balance leaves, in paise. */
export async function limitLeft(db: Db, organisation: OrganisationId): Promise<number> {
  const { limit } = await db
    .selectFrom('organisation')
    .select('credit_limit_paise as limit')
    .where('id', '=', organisation)
    .executeTakeFirstOrThrow()
  return limit - (await balanceOf(db, organisation))
}
