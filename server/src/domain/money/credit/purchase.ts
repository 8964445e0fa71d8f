import { sql } from 'kysely'
import { undertakingOn, rateOn } from '../supplier/readiness.ts'
import { supplierSettings } from '../supplier/settings.ts'
import type { OrganisationId, PrepaidAccountId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/contract/words/money.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { taxStatusOn } from '../../people/organisation/tax-status.ts'
import { balanceOf } from '../ledger/balance.ts'
import { usedBy } from './prepaid.ts'
import { beforeTax } from '../invoice/gst/tax.ts'

export interface AccountOf {
  readonly organisation: OrganisationId
  /** Null for all trainings without a separate account. */
  readonly training: TrainingId | null
}

/**
 * Returns the rate of tax on usage of an organisation on a day, in basis points; 0 if its supplies bear no tax.
 * @param day YYYY-MM-DD
 */
export async function taxRateOf(db: Db, organisation: OrganisationId, day: string): Promise<number> {
  const settings = await supplierSettings(db)
  const { place } = await taxStatusOn(db, organisation, day)
  if (place !== 'india' && undertakingOn(settings, day) !== null) return 0
  return rateOn(settings, day) ?? 0
}

/**
 * Creates the account unless it exists. Its usage counts from now. The account of a training copies the terms of the
 * organisation's account, so that buying a little credit for a training does not end the hard limit for it.
 */
export async function ensureAccount(tx: Tx, { organisation, training }: AccountOf): Promise<PrepaidAccountId> {
  await sql`
    insert into prepaid_account (organisation_id, training_id, hard_limit, valid_days)
    select o.id, ${training}::uuid, coalesce(a.hard_limit, false), a.valid_days
    from organisation o left join prepaid_account a on a.organisation_id = o.id and a.training_id is null
    where o.id = ${organisation} on conflict (organisation_id, training_id) do nothing`.execute(tx)
  const { id } = await tx
    .selectFrom('prepaid_account')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('training_id', 'is not distinct from', training)
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Adds the credit that a payment buys. It is the part of the payment that no due invoice uses, less tax at the rate on
 * the day of the payment, as on the receipt voucher. The payment's entry was added in this transaction.
 * @returns the part of the payment, with tax; 0 if invoices were due for all of it
 */
export async function addPurchase(
  tx: Tx,
  of: AccountOf,
  { payment, amount }: { readonly payment: string; readonly amount: Paise },
): Promise<Paise> {
  const { organisation } = of
  const gross = paise(Math.min(amount, Math.max(0, 0 - (await balanceOf(tx, organisation)))))
  const { date } = await tx
    .selectFrom('ledger_entry')
    .select(sql<string>`to_char(date, 'YYYY-MM-DD')`.as('date'))
    .where('organisation_id', '=', organisation)
    .where('kind', '=', 'payment')
    .where('reference', '=', payment)
    .executeTakeFirstOrThrow()
  const credit = beforeTax(gross, await taxRateOf(tx, organisation, date))
  if (credit === 0) return paise(0)
  const account = await ensureAccount(tx, of)
  const row = await tx
    .selectFrom('prepaid_account')
    .selectAll()
    .where('id', '=', account)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await sql`
    insert into prepaid_purchase (account_id, organisation_id, payment, gross_paise, credit_paise,
      used_before_paise, expires_at)
    select a.id, a.organisation_id, ${payment}::text, ${gross}::bigint, ${credit}::bigint, ${await usedBy(tx, row)}::bigint,
      ((portal_now() at time zone o.time_zone)::date + a.valid_days + 1)::timestamp at time zone o.time_zone
    from prepaid_account a join organisation o on o.id = a.organisation_id where a.id = ${account}`.execute(tx)
  await sql`update prepaid_account set judge_at = portal_now() where id = ${account}`.execute(tx)
  return gross
}
